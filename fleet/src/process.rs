//! Utilities for the processes of a fleet.

use std::path::Path;

use tokio_util::sync::CancellationToken;

/// Upper bounds of the buckets of all histograms, in seconds.
pub const BUCKETS_S: [f64; 14] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0];

/// How long a signal may take from its handler to the task that awaits it.
#[cfg(unix)]
const IN_FLIGHT: std::time::Duration = std::time::Duration::from_millis(20);

/// Returns the default name of this process: the host name, or `unnamed`, and the process id.
pub fn name(unnamed: &str) -> String {
    let host = || std::env::var("HOSTNAME").ok().filter(|host| !host.is_empty());
    let host = host().or_else(|| std::fs::read_to_string("/etc/hostname").ok());
    format!("{}-{}", host.as_deref().map_or(unnamed, str::trim), std::process::id())
}

/// Makes all files and folders that this process creates from now on accessible only to their owner, whatever the
/// umask.
pub fn private_files() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Creates a folder that only its owner can access. Restricts an existing folder that belongs to this user, because its
/// content may be from a version that left it open to others.
///
/// # Errors
/// The folder can't be created.
pub fn private_folder(path: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let there = std::fs::metadata(path)?;
        let is_open = there.permissions().mode() & 0o077 != 0;
        if is_open && there.uid() == rustix::process::geteuid().as_raw() {
            std::fs::set_permissions(path, PermissionsExt::from_mode(there.permissions().mode() & !0o077))?;
        } else if is_open {
            tracing::warn!(folder = %path.display(), "data folder open to other users: it belongs to another user");
        }
    }
    Ok(())
}

/// Cancels `stop` at SIGTERM or Ctrl-C. Signals that [`begin_anew`] blocked are delivered from now on.
///
/// # Errors
/// The signal handlers can't be installed.
pub fn stop_at_signal(stop: CancellationToken) -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let (mut terminate, mut interrupt) = {
        use tokio::signal::unix::{SignalKind, signal};
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?)
    };
    #[cfg(unix)]
    stop_signals().thread_unblock()?;
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
        stop.cancel();
    })
}

/// The signals that ask a process to stop.
#[cfg(unix)]
fn stop_signals() -> nix::sys::signal::SigSet {
    use nix::sys::signal::Signal;
    [Signal::SIGTERM, Signal::SIGINT].into_iter().collect()
}

/// Returns the bytes of memory that this process uses, on Linux.
pub fn memory() -> Option<u64> {
    kib_of(&std::fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// Returns the bytes of memory that this process may use, on Linux: the limit of its control group (version 2), at most
/// the memory of the machine.
pub fn memory_there_is() -> Option<u64> {
    let machine = kib_of(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")?;
    let group = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    Some(group_limit(&group, Path::new("/sys/fs/cgroup")).map_or(machine, |limit| limit.min(machine)))
}

/// Parses the line of this name, whose value is in kB, to bytes.
fn kib_of(lines: &str, name: &str) -> Option<u64> {
    let line = lines.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Returns the lowest limit of the group in `/proc/self/cgroup` and of its ancestors, below the root folder of all
/// groups.
fn group_limit(group: &str, root: &Path) -> Option<u64> {
    let path = group.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let folder = root.join(path);
    let folders = folder.ancestors().take_while(|folder| folder.starts_with(root));
    folders.filter_map(|folder| std::fs::read_to_string(folder.join("memory.max")).ok()?.trim().parse().ok()).min()
}

/// Replaces this process by a new run of the same executable, with the same arguments, environment and process id.
/// Returns `Ok` if `stop` is cancelled instead.
///
/// Must run on a runtime with a task that still listens for signals. A signal that arrives meanwhile either cancels
/// `stop` in time or stays pending until the new run calls [`stop_at_signal`]. Otherwise a signal between the two runs
/// would be lost, or would end the process as if it had crashed.
///
/// # Errors
/// The process can't be replaced.
pub async fn begin_anew(stop: &CancellationToken) -> std::io::Result<()> {
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.args(std::env::args_os().skip(1));
    #[cfg(unix)]
    {
        stop_signals().thread_block()?;
        // The runtime forwards a signal to `stop` that another thread has just received.
        if tokio::time::timeout(IN_FLIGHT, stop.cancelled()).await.is_ok() {
            return Ok(());
        }
        Err(std::os::unix::process::CommandExt::exec(&mut command))
    }
    #[cfg(not(unix))]
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_control_groups_are_those_of_all_around() {
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("pods/worker");
        std::fs::create_dir_all(&inner).unwrap();
        let limit = |group: &str| group_limit(group, root.path());
        assert_eq!(limit("0::/pods/worker\n"), None, "nothing says so");
        std::fs::write(inner.join("memory.max"), "max\n").unwrap();
        std::fs::write(root.path().join("pods/memory.max"), "4096\n").unwrap();
        assert_eq!(limit("1:cpu:/old\n0::/pods/worker\n"), Some(4096));
        std::fs::write(inner.join("memory.max"), "1024\n").unwrap();
        assert_eq!((limit("0::/pods/worker\n"), limit("0::/pods\n"), limit("0::/\n")), (Some(1024), Some(4096), None));
        assert_eq!(limit("9:memory:/old\n"), None);
    }

    #[test]
    fn memory_is_read_as_linux_writes_it() {
        assert_eq!(kib_of("VmPeak:\t 9 kB\nVmRSS:\t   12 kB\n", "VmRSS:"), Some(12 << 10));
        assert_eq!(kib_of("VmRSS:\t many\n", "VmRSS:"), None);
        if cfg!(target_os = "linux") {
            assert!(memory().unwrap() > 1 << 20 && memory_there_is() > memory());
        }
    }
}
