//! Runs children that misbehave. This test binary hosts them: a constructor replaces `main`.
#![allow(unsafe_code, reason = "a constructor runs before main; this one only asks for the arguments")]

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use bytes::Bytes;

use super::*;

const TASKS: &[Task] = &[
    Task { name: "reverse", run: |input| Ok(input.iter().rev().copied().collect()) },
    Task { name: "refuse", run: |_| Err("too dull".into()) },
    Task { name: "panic", run: |input| panic!("no {} today", input.len()) },
    Task { name: "loop", run: |_| loop_for_ever() },
    Task { name: "sleep", run: |_| sleep_for_ever() },
    Task { name: "allocate", run: |_| Ok(vec![1; 2 << 30]) },
    Task { name: "allocate often", run: |_| allocate_often() },
    Task { name: "overflow", run: |input| Ok(vec![deeper(input)]) },
    Task { name: "much", run: |_| Ok(vec![0; 1 << 20]) },
    Task { name: "endless", run: |_| endless(b"yes") },
    Task { name: "endless answer", run: |_| endless(&[0; 1 << 10]) },
    Task { name: "shout", run: |_| shout() },
    Task { name: "open", run: |path| opened(path) },
    Task { name: "create", run: |path| created(path) },
    Task { name: "connect", run: |_| outcome(std::net::TcpStream::connect("127.0.0.1:1")) },
    Task { name: "resolve", run: |_| outcome(std::net::ToSocketAddrs::to_socket_addrs("example.org:80")) },
    Task { name: "program", run: |_| outcome(Command::new("/bin/true").status()) },
    Task { name: "thread", run: |_| outcome(std::thread::Builder::new().spawn(|| ())) },
    Task { name: "environment", run: |_| Ok(names().into_bytes()) },
    Task { name: "raise", run: |_| outcome(raise()) },
];

#[ctor::ctor(unsafe)]
fn host() {
    enter(TASKS);
    if std::env::args().nth(1).as_deref() == Some(PARENT) {
        be_a_parent();
    }
}

fn outcome<T>(result: std::io::Result<T>) -> Result<Vec<u8>, String> {
    result.map(|_| b"it worked".to_vec()).map_err(|e| format!("{:?}", e.kind()))
}

fn loop_for_ever() -> ! {
    let mut n = 0_u64;
    loop {
        n = std::hint::black_box(n + 1);
    }
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

fn allocate_often() -> Result<Vec<u8>, String> {
    let mut kept = Vec::new();
    loop {
        kept.push(vec![1_u8; 1 << 16]);
    }
}

fn deeper(input: &[u8]) -> u8 {
    let here = [input.len() as u8; 4096];
    if input.is_empty() { 0 } else { std::hint::black_box(here)[0].wrapping_add(deeper(&here)) }
}

fn endless(part: &[u8]) -> ! {
    let mut stdout = std::io::stdout().lock();
    while stdout.write_all(part).is_ok() {}
    loop_for_ever()
}

fn shout() -> Result<Vec<u8>, String> {
    let line = [b'a'; 1 << 16];
    (0..64).try_for_each(|_| std::io::stderr().write_all(&line)).map_err(|e| e.to_string())?;
    Ok(b"hoarse".to_vec())
}

fn opened(path: &[u8]) -> Result<Vec<u8>, String> {
    outcome(std::fs::File::open(String::from_utf8_lossy(path).as_ref()))
}

fn created(path: &[u8]) -> Result<Vec<u8>, String> {
    outcome(std::fs::write(String::from_utf8_lossy(path).as_ref(), "here"))
}

fn raise() -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    Ok(setrlimit(Resource::As, Rlimit { current: None, maximum: None })?)
}

fn quick() -> Limits {
    Limits { wall: Duration::from_secs(30), ..Limits::default() }
}

async fn run(task: &'static str, input: &'static [u8]) -> Result<Vec<u8>, SandboxError> {
    Sandbox::new(1).unwrap().run(task, Bytes::from_static(input), quick()).await
}

/// Returns the names of the environment variables.
fn names() -> String {
    std::env::vars().map(|(name, _)| name).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn a_task_answers() {
    let sandbox = Sandbox::new(2).unwrap();
    for _ in 0..4 {
        let answer = sandbox.run("reverse", Bytes::from_static(b"stressed"), quick()).await;
        assert_eq!(answer.unwrap(), b"desserts");
    }
    assert_eq!(run("reverse", b"").await.unwrap(), b"");
    let large = Bytes::from(vec![7; 20 << 20]);
    assert_eq!(sandbox.run("reverse", large.clone(), quick()).await.unwrap(), large);
}

#[tokio::test]
async fn a_refusal_and_a_panic_come_back_in_words() {
    assert!(matches!(run("refuse", b"x").await, Err(SandboxError::Refused(why)) if why == "too dull"));
    match run("panic", b"12345").await {
        Err(SandboxError::Crashed(why)) => assert!(why.contains("no 5 today"), "{why}"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(run("nonsense", b"").await, Err(SandboxError::Start(_))));
}

#[tokio::test]
async fn who_takes_too_long_is_killed() {
    let sandbox = Sandbox::new(1).unwrap();
    let short = Limits { wall: Duration::from_millis(300), ..Limits::default() };
    for task in ["loop", "sleep"] {
        let began = Instant::now();
        assert!(matches!(sandbox.run(task, Bytes::new(), short).await, Err(SandboxError::TimedOut)), "{task}");
        assert!(began.elapsed() < Duration::from_secs(5));
    }
    let second = Limits { cpu_s: 1, ..quick() };
    assert!(matches!(sandbox.run("loop", Bytes::new(), second).await, Err(SandboxError::TimedOut)));
    assert_eq!(sandbox.run("reverse", Bytes::from_static(b"ab"), quick()).await.unwrap(), b"ba");
}

#[tokio::test]
async fn who_takes_too_much_is_ended() {
    assert!(matches!(run("allocate", b"").await, Err(SandboxError::OutOfMemory)));
    assert!(matches!(run("allocate often", b"").await, Err(SandboxError::OutOfMemory)));
    assert!(matches!(run("overflow", b"abc").await, Err(SandboxError::Crashed(_))));
}

#[tokio::test]
async fn who_says_too_much_is_not_listened_to() {
    let small = Limits { answer: (1 << 20) - 1, ..quick() };
    let sandbox = Sandbox::new(1).unwrap();
    assert!(matches!(sandbox.run("much", Bytes::new(), small).await, Err(SandboxError::AnswerTooLarge)));
    assert_eq!(sandbox.run("much", Bytes::new(), quick()).await.unwrap().len(), 1 << 20);
    assert!(matches!(run("endless", b"").await, Err(SandboxError::Crashed(_))));
    // Nine zero bytes are the head of an empty answer: the parent does not read what follows.
    assert_eq!(run("endless answer", b"").await.unwrap(), b"");
    assert_eq!(run("shout", b"").await.unwrap(), b"hoarse");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn there_is_nothing_to_reach_from_within() {
    let refused = |result, why: &str| matches!(result, Err(SandboxError::Refused(w)) if w == why);
    for path in [&b"/etc/passwd"[..], b"/proc/self/mem", b"/dev/null"] {
        assert!(refused(run("open", path).await, "PermissionDenied"));
    }
    let place = std::env::temp_dir().join(format!("from-within-{}", std::process::id()));
    let path = Bytes::from(place.to_str().unwrap().to_owned());
    assert!(refused(Sandbox::new(1).unwrap().run("create", path, quick()).await, "PermissionDenied"));
    assert!(!place.exists());
    assert!(matches!(run("connect", b"").await, Err(SandboxError::Forbidden)));
    assert!(run("resolve", b"").await.is_err());
    assert!(refused(run("program", b"").await, "PermissionDenied"));
    assert!(refused(run("thread", b"").await, "PermissionDenied"));
    assert!(refused(run("raise", b"").await, "PermissionDenied"));
    assert_eq!(run("environment", b"").await.unwrap(), b"MIMALLOC_ARENA_RESERVE");
}

#[tokio::test]
async fn no_more_children_work_at_once_than_may() {
    let sandbox = Sandbox::new(2).unwrap();
    let short = Limits { wall: Duration::from_millis(400), ..Limits::default() };
    let began = Instant::now();
    let runs = (0..6).map(|_| sandbox.run("sleep", Bytes::new(), short));
    for run in futures::future::join_all(runs).await {
        assert!(matches!(run, Err(SandboxError::TimedOut)));
    }
    assert!(began.elapsed() >= Duration::from_millis(1200));
}

#[tokio::test]
async fn an_executable_that_is_not_there_is_said() {
    let sandbox = Sandbox::of("/nowhere/vivid".into(), 1);
    assert!(matches!(sandbox.run("reverse", Bytes::new(), quick()).await, Err(SandboxError::Start(_))));
}

/// The argument that makes this binary a parent with one working and one ready child.
const PARENT: &str = "be-a-parent";

fn be_a_parent() -> ! {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let _ = runtime.block_on(async {
        let sandbox = Sandbox::new(1).unwrap();
        sandbox.run("reverse", Bytes::new(), quick()).await.unwrap();
        std::io::stdout().write_all(b"!\n").unwrap();
        sandbox.run("sleep", Bytes::new(), quick()).await
    });
    std::process::exit(0)
}

/// Returns the parent of a live process; `None` for a zombie.
#[cfg(target_os = "linux")]
fn parent_of(pid: u32) -> Option<u32> {
    // The fields follow the name, which may contain any characters.
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    (fields.next()? != "Z").then_some(())?;
    fields.next()?.parse().ok()
}

#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<u32> {
    let pids = std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|pid| parent_of(*pid) == Some(parent)).collect()
}

#[cfg(target_os = "linux")]
fn until(what: impl Fn() -> bool) {
    let began = Instant::now();
    while !what() {
        assert!(began.elapsed() < Duration::from_secs(20), "it didn't come");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_parent_leaves_no_child() {
    let mut parent = Command::new(std::env::current_exe().unwrap())
        .arg(PARENT)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    parent.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
    // One child sleeps in its task, and one waits for a request.
    until(|| children(parent.id()).len() == 2);
    let left = children(parent.id());
    parent.kill().unwrap();
    parent.wait().unwrap();
    // The kernel reuses a process id only after it has used all others.
    until(|| left.iter().all(|pid| parent_of(*pid).is_none()));
}

#[tokio::test]
async fn a_run_that_nobody_waits_for_ends() {
    let sandbox = Sandbox::new(1).unwrap();
    let run = sandbox.run("sleep", Bytes::new(), quick());
    assert!(tokio::time::timeout(Duration::from_millis(100), run).await.is_err());
    // The run's permit is free again.
    assert_eq!(sandbox.run("reverse", Bytes::from_static(b"ab"), quick()).await.unwrap(), b"ba");
}
