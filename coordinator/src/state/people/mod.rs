//! Who uses an account: the account itself, API keys, members and sessions.

pub(super) mod accounts;
pub(super) mod keys;
pub(super) mod members;
pub(super) mod sessions;
pub(super) mod usage;
