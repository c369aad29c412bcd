//! Drops a child's privileges irrevocably.

#[cfg(unix)]
use rustix::process::{Resource, Rlimit, setrlimit};

/// Kills this process when its parent ends. Fails if `parent` is no longer its parent.
///
/// # Errors
/// The kernel refuses, or the parent is gone.
pub fn die_with(parent: Option<i32>) -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have ended before this call.
        if getppid().map(Pid::as_raw_pid) != parent {
            return Err(std::io::Error::other("the parent is gone"));
        }
    }
    // On other systems, a waiting child sees the end of its input, and a working one reaches its CPU limit.
    #[cfg(not(target_os = "linux"))]
    let _ = parent;
    Ok(())
}

/// Limits memory to `memory` bytes and CPU time to `cpu_s` seconds. Forbids files, new processes and, on Linux, every
/// system call that pure computation does not need.
///
/// # Errors
/// The restriction that failed.
#[cfg(target_os = "linux")]
pub fn confine(memory: u64, cpu_s: u64) -> Result<(), String> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};

    let said = |what: &'static str| move |e: rustix::io::Errno| format!("{what}: {e}");
    limit_all(memory, cpu_s, |resource, limit| setrlimit(resource, limit).map_err(said("setrlimit")))?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(said("PR_SET_DUMPABLE"))?;
    rustix::thread::set_no_new_privs(true).map_err(said("PR_SET_NO_NEW_PRIVS"))?;
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    calls::filter()?;
    Ok(())
}

/// As on Linux, but without a system call filter. Skips limits that the platform does not support.
#[cfg(all(unix, not(target_os = "linux")))]
pub fn confine(memory: u64, cpu_s: u64) -> Result<(), String> {
    limit_all(memory, cpu_s, |resource, limit| {
        let _ = setrlimit(resource, limit);
        Ok(())
    })
}

/// This platform has no such limits; only the parent's timeout applies.
#[cfg(not(unix))]
pub fn confine(_memory: u64, _cpu_s: u64) -> Result<(), String> {
    Ok(())
}

/// File descriptors of a child: standard input, output and error.
#[cfg(unix)]
const DESCRIPTORS: u64 = 3;

#[cfg(unix)]
fn limit_all(memory: u64, cpu_s: u64, set: impl Fn(Resource, Rlimit) -> Result<(), String>) -> Result<(), String> {
    let limit = |most| Rlimit { current: Some(most), maximum: Some(most) };
    // At the soft limit the kernel sends SIGXCPU, which distinguishes this end from others; a second later SIGKILL.
    set(Resource::Cpu, Rlimit { current: Some(cpu_s), maximum: Some(cpu_s + 1) })?;
    set(Resource::As, limit(memory))?;
    set(Resource::Core, limit(0))?;
    set(Resource::Fsize, limit(0))?;
    set(Resource::Nproc, limit(0))?;
    set(Resource::Nofile, limit(DESCRIPTORS))
}

/// The system call filter.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod calls {
    use std::collections::BTreeMap;

    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition, SeccompFilter,
        SeccompRule,
    };

    /// Calls that computation needs: memory, own signals, clocks, random numbers, waiting, exiting.
    const FREE: [i64; 24] = [
        libc::SYS_brk,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_madvise,
        libc::SYS_futex,
        libc::SYS_rt_sigreturn,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_sigaltstack,
        libc::SYS_restart_syscall,
        libc::SYS_clock_gettime,
        libc::SYS_clock_getres,
        libc::SYS_clock_nanosleep,
        libc::SYS_nanosleep,
        libc::SYS_gettimeofday,
        libc::SYS_getrandom,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_sched_yield,
        libc::SYS_sched_getaffinity,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_fstat,
        libc::SYS_close,
    ];

    /// Calls that no task makes: they mean that the child is compromised, so the kernel kills it.
    const FATAL: [i64; 11] = [
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_sendto,
        libc::SYS_sendmsg,
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_ptrace,
        libc::SYS_process_vm_writev,
        libc::SYS_io_uring_setup,
    ];

    /// Applies two filters, of which the stricter result counts. Calls in [`FATAL`] kill the process. Every other call
    /// outside [`FREE`] and the rules below fails with EPERM, so that a library that tries to open a file continues
    /// without it.
    ///
    /// # Errors
    /// The kernel has no seccomp.
    pub fn filter() -> Result<(), String> {
        let mut fatal = BTreeMap::new();
        fatal.extend(FATAL.map(|call| (call, Vec::new())));
        apply(fatal, SeccompAction::Allow, SeccompAction::KillProcess)?;

        let permission = u32::try_from(libc::EPERM).expect("a small positive number");
        apply(allowed().map_err(|e| e.to_string())?, SeccompAction::Errno(permission), SeccompAction::Allow)
    }

    fn apply(
        rules: BTreeMap<i64, Vec<SeccompRule>>,
        otherwise: SeccompAction,
        matching: SeccompAction,
    ) -> Result<(), String> {
        let arch = std::env::consts::ARCH.try_into().map_err(|e| format!("seccomp: {e}"))?;
        let filter = SeccompFilter::new(rules, otherwise, matching, arch).map_err(|e| format!("seccomp: {e}"))?;
        let program: BpfProgram = filter.try_into().map_err(|e| format!("seccomp: {e}"))?;
        seccompiler::apply_filter(&program).map_err(|e| format!("seccomp: {e}"))
    }

    fn allowed() -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
        let is =
            |argument, value: i32| SeccompCondition::new(argument, Len::Dword, Op::Eq, u64::from(value.unsigned_abs()));
        let lacks = |argument, bits: i32| {
            SeccompCondition::new(argument, Len::Dword, Op::MaskedEq(u64::from(bits.unsigned_abs())), 0)
        };
        let has = |argument, bits: i32| {
            let bits = u64::from(bits.unsigned_abs());
            SeccompCondition::new(argument, Len::Dword, Op::MaskedEq(bits), bits)
        };
        let mut rules: BTreeMap<_, _> = FREE.into_iter().map(|call| (call, Vec::new())).collect();
        // Only the three standard descriptors, so a descriptor that was inherited by mistake is useless.
        let input = || Ok::<_, seccompiler::BackendError>(vec![SeccompRule::new(vec![is(0, 0)?])?]);
        let output = || {
            Ok::<_, seccompiler::BackendError>(vec![
                SeccompRule::new(vec![is(0, 1)?])?,
                SeccompRule::new(vec![is(0, 2)?])?,
            ])
        };
        rules.insert(libc::SYS_read, input()?);
        rules.insert(libc::SYS_write, output()?);
        rules.insert(libc::SYS_writev, output()?);
        // Only anonymous memory, never executable.
        let anonymous = vec![lacks(2, libc::PROT_EXEC)?, has(3, libc::MAP_ANONYMOUS)?];
        rules.insert(libc::SYS_mmap, vec![SeccompRule::new(anonymous)?]);
        rules.insert(libc::SYS_mprotect, vec![SeccompRule::new(vec![lacks(2, libc::PROT_EXEC)?])?]);
        // Aborting raises a signal in this process.
        let own = i32::try_from(std::process::id()).unwrap_or(i32::MAX);
        rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![is(0, own)?])?]);
        Ok(rules)
    }
}
