//! The result of a rule: what it made of a clause.

use super::state::Subject;

/// What a rule made of a clause.
pub(super) enum Done {
    /// The clause is read; these are its subjects.
    Yes(Vec<Subject>),
    /// The clause is read but can't be done, for this reason.
    No(String),
}
