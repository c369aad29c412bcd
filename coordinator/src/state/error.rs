//! The error of the state.

use fleet::room::NoRoom;

use crate::balance::Overdrawn;
use crate::state::status::BadTransition;

/// Why the state could not be read or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The disk or the database failed.
    #[error("storage: {0}")]
    Storage(String),
    /// The state differs from what was committed, and only an export can restore it.
    #[error("the state is damaged: {0}")]
    Damaged(String),
    /// A commit changes more rows than a journal record can hold.
    #[error("a commit of {0} rows exceeds the limit of the journal")]
    CommitTooLarge(usize),
    /// Another process has the state open.
    #[error("{0} is in use by another process")]
    InUse(String),
    /// A row that this version can't read.
    #[error("a stored row can't be read: {0}")]
    Unreadable(String),
    /// A row that must exist doesn't.
    #[error("a row of {0} is missing")]
    Missing(&'static str),
    /// A row exceeds its table's limit.
    #[error("a row of {0} bytes exceeds the limit of its table")]
    RowTooLarge(usize),
    /// A status change that the transition table doesn't allow.
    #[error(transparent)]
    Transition(#[from] BadTransition),
    /// The disk is full.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// An import into this folder was interrupted.
    #[error("an import into {0} was interrupted; repeat it")]
    HalfDone(String),
    /// The folder already holds a state, but an import creates a new one.
    #[error("{0} is not empty, but an import creates a new state")]
    NotEmpty(String),
    /// The file can't be imported.
    #[error("this export can't be used: {0}")]
    NoCopy(String),
    /// The operation already runs, and only one may run at a time.
    #[error("{0} is already running")]
    Busy(&'static str),
    /// The account lacks the credits.
    #[error(transparent)]
    Overdrawn(#[from] Overdrawn),
    /// The account has the maximum number of valid keys.
    #[error("the account has the maximum number of valid keys")]
    TooManyKeys,
    /// The operating system provides no randomness.
    #[error("the system provides no randomness: {0}")]
    Randomness(String),
}

impl From<sled::Error> for StateError {
    fn from(e: sled::Error) -> Self {
        match e {
            sled::Error::Corruption { at, .. } => Self::Damaged(format!("the database can't be read at {at:?}")),
            e => Self::Storage(e.to_string()),
        }
    }
}
