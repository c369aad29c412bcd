//! What accounts upload: brand kits with their logos, and files with their fonts.

pub(super) mod brands;
pub(super) mod uploads;
