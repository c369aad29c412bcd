//! Who sends a request: API keys, sessions of members, and the operations on an account's keys and members that the
//! console and the operator share.

mod asked;
mod caller;
pub(crate) mod keyring;
pub(crate) mod membership;
mod scoped;
mod visitor;

pub(crate) use asked::Asked;
pub use caller::{Authorised, Identity, client_address};
pub use scoped::{Needed, Scoped, scope};
pub use visitor::{Active, Holding, Presence, Present, Sender, Staff, check_origin};
