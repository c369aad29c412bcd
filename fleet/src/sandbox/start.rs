//! Starts children, all from one thread that never ends.
//!
//! Linux kills a child when the thread that started it ends, not the process, and a runtime's threads come and go.
//! Nothing is set between fork and exec, so the standard library starts children by `posix_spawn`, whose cost doesn't
//! grow with the parent's memory.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{OnceLock, mpsc};

use tokio::process::{Child, Command};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::child::ARGUMENT;

struct Order {
    program: PathBuf,
    runtime: Handle,
    answer: oneshot::Sender<std::io::Result<Child>>,
}

/// This process's executable. On Linux the very file it was started from, also where another has taken its name since.
///
/// # Errors
/// The platform can't say.
pub fn own_program() -> std::io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok("/proc/self/exe".into()) } else { std::env::current_exe() }
}

/// Starts `program` as a child that waits for a request.
///
/// # Errors
/// It can't be started.
pub async fn start(program: PathBuf) -> std::io::Result<Child> {
    let (answer, child) = oneshot::channel();
    let order = Order { program, runtime: Handle::current(), answer };
    starter()?.send(order).map_err(|_| gone())?;
    child.await.map_err(|_| gone())?
}

fn gone() -> std::io::Error {
    std::io::Error::other("the thread that starts children is gone")
}

fn starter() -> std::io::Result<&'static mpsc::Sender<Order>> {
    static STARTER: OnceLock<Result<mpsc::Sender<Order>, String>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (orders, received) = mpsc::channel::<Order>();
        let thread = std::thread::Builder::new().name("sandbox-start".into()).spawn(move || {
            for order in received {
                // Nobody may wait for it any more; then it is killed as it is dropped.
                let _ = order.answer.send(spawn(order.program, &order.runtime));
            }
        });
        thread.map(|_| orders).map_err(|e| e.to_string())
    });
    starter.as_ref().map_err(|e| std::io::Error::other(e.clone()))
}

fn spawn(program: PathBuf, runtime: &Handle) -> std::io::Result<Child> {
    let _within = runtime.enter();
    let mut command = Command::new(program);
    command.arg(ARGUMENT).arg(std::process::id().to_string()).env_clear();
    // The allocator of Vivid's binaries takes what it needs and no gigabyte in advance: the limit is one of addresses.
    command.env("MIMALLOC_ARENA_RESERVE", "0");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    // A group of its own: Ctrl-C ends the service in order, and its children with it.
    #[cfg(unix)]
    command.process_group(0).arg0("vivid").current_dir("/");
    command.spawn()
}
