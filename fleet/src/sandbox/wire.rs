//! The messages between parent and child over the child's standard input and output. Both are the same executable, so
//! there are no versions. Numbers are little-endian.
//!
//! ```text
//! parent → child:  name length (1 byte), memory limit, seconds of processor, input length (8 bytes each), name, input
//! child → parent:  status (1 byte), length (8 bytes), answer
//! ```

use super::Limits;

/// Bytes before the name.
pub const REQUEST: usize = 25;
/// Bytes before the answer.
pub const ANSWER: usize = 9;

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The answer follows.
    Done,
    /// The reason why the task refused the input follows.
    Refused,
    /// The panic's message follows.
    Panicked,
    /// The reason why the child could not start follows.
    Unfit,
}

const STATUSES: [Status; 4] = [Status::Done, Status::Refused, Status::Panicked, Status::Unfit];

/// The fixed-size head of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Length of the task's name in bytes.
    pub name: u8,
    /// [`Limits::memory`].
    pub memory: u64,
    /// [`Limits::cpu_s`].
    pub cpu_s: u64,
    /// Length of the input in bytes.
    pub input: u64,
}

impl Request {
    /// Creates the request for `task`; `None` if its name is too long.
    pub fn new(task: &str, limits: Limits, input: usize) -> Option<Self> {
        let name = u8::try_from(task.len()).ok()?;
        Some(Self { name, memory: limits.memory, cpu_s: limits.cpu_s, input: input as u64 })
    }

    pub fn to_bytes(self) -> [u8; REQUEST] {
        let mut bytes = [self.name; REQUEST];
        bytes[1..9].copy_from_slice(&self.memory.to_le_bytes());
        bytes[9..17].copy_from_slice(&self.cpu_s.to_le_bytes());
        bytes[17..].copy_from_slice(&self.input.to_le_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8; REQUEST]) -> Self {
        Self { name: bytes[0], memory: number(&bytes[1..]), cpu_s: number(&bytes[9..]), input: number(&bytes[17..]) }
    }
}

/// Encodes the head of an answer of `length` bytes.
pub fn answer_head(status: Status, length: usize) -> [u8; ANSWER] {
    let mut bytes = [status as u8; ANSWER];
    bytes[1..].copy_from_slice(&(length as u64).to_le_bytes());
    bytes
}

/// Decodes status and length; `None` for an unknown status.
pub fn read_answer_head(bytes: &[u8; ANSWER]) -> Option<(Status, u64)> {
    Some((*STATUSES.get(usize::from(bytes[0]))?, number(&bytes[1..])))
}

/// Decodes the number in the first 8 bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |n, b| n << 8 | u64::from(*b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let request = Request::new("a task", Limits::default(), 0x0123_4567_89ab).unwrap();
        assert_eq!(Request::from_bytes(&request.to_bytes()), request);
        assert_eq!(Request::new(&"n".repeat(256), Limits::default(), 0), None);
        for status in STATUSES {
            assert_eq!(read_answer_head(&answer_head(status, 70_000)), Some((status, 70_000)));
        }
        assert_eq!(read_answer_head(b"yyyyyyyyy"), None);
    }
}
