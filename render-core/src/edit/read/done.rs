//! The result of a rule that reads a clause.

use super::state::Subject;

/// The result of a rule that reads a clause.
pub(super) enum Done {
    /// The rule read the clause. These are its subjects.
    Yes(Vec<Subject>),
    /// The rule read the clause, but it can't be applied for this reason.
    No(String),
}
