//! The account that a request about keys and members is about.

use uuid::Uuid;

use crate::accounts::Plan;

/// The account that a request is about, and who sends the request.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) account: Uuid,
    pub(crate) plan: Plan,
    /// The sender, for the log.
    pub(crate) by: String,
    /// Whether the sender is the service's operator, who may change staff members.
    pub(crate) is_operator: bool,
}
