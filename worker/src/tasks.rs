//! The tasks that the sandbox's child processes run for a worker. Every executable that runs workers passes them to
//! [`fleet::sandbox::enter`].

use fleet::sandbox::Task;

/// All tasks.
pub const TASKS: &[Task] = &[
    crate::fonts::CHECK,
    crate::ingest::PAGE,
    crate::ingest::PDF,
    crate::ingest::FILE,
    crate::ingest::FIGURE,
    crate::ingest::photo::PHOTO,
    crate::ingest::photo::PICTURE,
    crate::import::logo::LOGO,
];

/// Tests have no `main` of their own, so a constructor replaces it.
#[cfg(test)]
#[allow(unsafe_code, reason = "a constructor runs before main; this one only asks for the arguments")]
#[ctor::ctor(unsafe)]
fn host() {
    fleet::sandbox::enter(TASKS);
}
