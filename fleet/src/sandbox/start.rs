//! Starts all children from one thread that never ends.
//!
//! Linux kills a child when the thread that started it ends, not the process, and a runtime's threads come and go.
//! Nothing is set between fork and exec, so the standard library starts children with `posix_spawn`, whose cost doesn't
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

/// Returns the path of this process's executable. On Linux, this is the very file that was started, even if another
/// file has since replaced it.
///
/// # Errors
/// The platform can't determine it.
pub fn own_program() -> std::io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok("/proc/self/exe".into()) } else { std::env::current_exe() }
}

/// Starts `program` as a child that waits for a request.
///
/// # Errors
/// The child can't be started.
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
                // If the caller gave up, the child is dropped, which kills it.
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
    // Vivid's allocator must not reserve a gigabyte in advance, because the memory limit counts address space.
    command.env("MIMALLOC_ARENA_RESERVE", "0");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    // A separate process group: Ctrl-C reaches only the service, which then stops its children in order.
    #[cfg(unix)]
    command.process_group(0).arg0("vivid").current_dir("/");
    command.spawn()
}
