" Files of robots.txt that Vim does not know by itself: fragments, and copies with a prefix.
autocmd BufNewFile,BufRead *.robots.txt,*-robots.txt,*/robots.d/*.txt set filetype=robots
