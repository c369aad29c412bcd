//! The child's side: it reads one request, drops its privileges, runs the task and exits.

use std::io::{Read, Write};
use std::panic;

use parking_lot::Mutex;

use super::wire::{self, Request, Status};
use super::{Task, confine};

/// First argument of a child. The second is the process id of its parent.
pub const ARGUMENT: &str = "sandbox-child";

/// If this process was started as a child, runs one of `tasks` and exits. Otherwise returns immediately.
///
/// Call this before anything else, so that a child starts fast and holds no resources.
pub fn enter(tasks: &[Task]) {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|a| a != ARGUMENT) {
        return;
    }
    let parent = arguments.next().and_then(|a| a.to_str()?.parse().ok());
    std::process::exit(match work(tasks, parent) {
        Ok(()) => 0,
        // The parent sees that the answer ends early.
        Err(_) => 1,
    })
}

fn work(tasks: &[Task], parent: Option<i32>) -> std::io::Result<()> {
    confine::die_with(parent)?;
    let mut stdin = std::io::stdin().lock();
    let mut head = [0; wire::REQUEST];
    // Fails at the end of the input if the parent no longer needs a child that it kept ready.
    stdin.read_exact(&mut head)?;
    let request = Request::from_bytes(&head);
    let mut name = vec![0; request.name.into()];
    stdin.read_exact(&mut name)?;
    if let Err(why) = confine::confine(request.memory, request.cpu_s) {
        return answer(Status::Unfit, why.as_bytes());
    }
    let Some(task) = tasks.iter().find(|t| t.name.as_bytes() == name) else {
        return answer(Status::Unfit, b"the executable does not host this task");
    };
    let mut input = vec![0; usize::try_from(request.input).map_err(std::io::Error::other)?];
    stdin.read_exact(&mut input)?;
    drop(stdin);
    match caught(task, &input) {
        Ok(Ok(bytes)) => answer(Status::Done, &bytes),
        Ok(Err(why)) => answer(Status::Refused, why.as_bytes()),
        Err(message) => answer(Status::Panicked, message.as_bytes()),
    }
}

fn answer(status: Status, bytes: &[u8]) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(&wire::answer_head(status, bytes.len()))?;
    stdout.write_all(bytes)?;
    stdout.flush()
}

/// Message and location of the last panic.
static SAID: Mutex<String> = Mutex::new(String::new());

fn caught(task: &Task, input: &[u8]) -> Result<Result<Vec<u8>, String>, String> {
    panic::set_hook(Box::new(|panic| {
        *SAID.lock() = panic.to_string();
    }));
    panic::catch_unwind(|| (task.run)(input)).map_err(|_| SAID.lock().clone())
}
