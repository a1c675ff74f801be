// Reads the robots.txt files below a folder with Google's parser, asks one question of each, and
// prints the best and the median time of several passes, in process time.

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "robots.h"

static double Milliseconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s FOLDER PASSES\n", argv[0]);
    return 2;
  }
  std::vector<std::string> texts;
  for (const auto& e : std::filesystem::recursive_directory_iterator(argv[1])) {
    if (e.is_regular_file()) {
      std::ifstream in(e.path(), std::ios::binary);
      texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
  }
  std::vector<double> passes(std::max(1, atoi(argv[2])));
  int allowed = 0;
  for (double& pass : passes) {
    const double start = Milliseconds();
    for (const auto& text : texts) {
      googlebot::RobotsMatcher matcher;
      allowed += matcher.OneAgentAllowedByRobots(text, "FooBot", "https://example.com/some/path/page.html?x=1");
    }
    pass = Milliseconds() - start;
  }
  std::sort(passes.begin(), passes.end());
  printf("google: best %.2f ms, median %.2f ms, %zu files, %d of %zu answers are yes\n",
         passes.front(), passes[passes.size() / 2], texts.size(), allowed, passes.size() * texts.size());
}
