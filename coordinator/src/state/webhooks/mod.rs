//! Webhooks: subscriptions, and the deliveries to them.

pub(super) mod deliveries;
pub(super) mod subscriptions;
