// Reads the robots.txt files below a folder with fast-robots, asks one question of each, and prints
// the best and the median time of several passes, in process time.

use std::{env, fs, path::Path};

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

const PROCESS_CPUTIME: i32 = 2; // of Linux

fn milliseconds() -> f64 {
    let mut t = Timespec { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(PROCESS_CPUTIME, &mut t) };
    t.seconds as f64 * 1e3 + t.nanoseconds as f64 / 1e6
}

fn read(folder: &Path, texts: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder of files") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            read(&path, texts);
        } else {
            texts.push(fs::read(path).expect("a file"));
        }
    }
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let mut texts = Vec::new();
    read(Path::new(&arguments[1]), &mut texts);
    let passes: usize = arguments[2].parse().expect("a number of passes");
    let (mut times, mut allowed, mut refused) = (Vec::new(), 0, 0);
    for _ in 0..passes {
        let start = milliseconds();
        for text in &texts {
            match fast_robots::RobotsTxt::parse_bytes(text) {
                Ok(robots) => allowed += robots.is_allowed("FooBot", "/some/path/page.html?x=1") as usize,
                Err(_) => refused += 1,
            }
        }
        times.push(milliseconds() - start);
    }
    times.sort_by(f64::total_cmp);
    println!(
        "fast-robots: best {:.2} ms, median {:.2} ms, {} files, {} of {} answers are yes, {} refused",
        times[0], times[passes / 2], texts.len(), allowed, passes * texts.len(), refused
    );
}
