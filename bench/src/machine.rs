//! The machine and build that a benchmark ran on.

use std::fs;
use std::process::Command;

use serde::Serialize;

/// A machine and a build.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Machine {
    /// Model of the processor.
    pub cpu: String,
    /// Threads that can run in parallel.
    pub cores: usize,
    /// Commit of the current working tree, with `+` if there are uncommitted changes.
    pub commit: String,
    /// Whether the build is optimised.
    pub release: bool,
}

impl Machine {
    /// Describes this machine. Values that can't be determined are `unknown`.
    pub fn this() -> Self {
        let cpu = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        });
        let git = |args: &[&str]| {
            let output = Command::new("git").args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output().ok()?;
            output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|s| !s.is_empty());
        let commit = git(&["rev-parse", "--short", "HEAD"]);
        Self {
            cpu: cpu.unwrap_or_else(|| "unknown".to_owned()),
            cores: cores(),
            commit: commit.map_or_else(|| "unknown".to_owned(), |c| if changed { c + "+" } else { c }),
            release: !cfg!(debug_assertions),
        }
    }

    /// Formats the description as one line.
    pub fn describe(&self) -> String {
        let build = if self.release { "" } else { ", NOT a release build" };
        format!("{}, {} cores, commit {}{build}", self.cpu, self.cores, self.commit)
    }
}

/// Returns the number of threads that can run in parallel.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Memory of a process in MiB, as Linux reports it.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    /// Resident memory now.
    pub resident_mib: f64,
    /// Peak resident memory.
    pub peak_mib: f64,
}

/// Returns the memory of process `pid`, or of this process; `None` if the system does not report it.
pub fn memory(pid: Option<u32>) -> Option<Memory> {
    let who = pid.map_or_else(|| "self".to_owned(), |pid| pid.to_string());
    let status = fs::read_to_string(format!("/proc/{who}/status")).ok()?;
    let mib = |name: &str| -> Option<f64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: f64 = line.trim_start_matches(':').split_whitespace().next()?.parse().ok()?;
        Some(kib / 1024.0)
    };
    Some(Memory { resident_mib: mib("VmRSS")?, peak_mib: mib("VmHWM")? })
}

/// Resets the peak memory of this process to the current resident memory, if the system supports it.
pub fn forget_peak() {
    // Linux, proc(5): writing 5 resets the peak resident set size. Other systems refuse this, but no peak is read
    // there.
    let _ = fs::write("/proc/self/clear_refs", "5");
}
