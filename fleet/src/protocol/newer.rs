//! Fields that the previous version of the protocol lacks. Messages in the previous version omit them, and reading such
//! a message fills in their defaults. The version that adds a field marks it with `#[serde(with = "newer")]`; the next
//! version removes the mark.

use std::cell::Cell;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::PROTOCOL_VERSION;

thread_local! {
    /// The version of the message that is being written or read on this thread.
    static VERSION: Cell<u8> = const { Cell::new(PROTOCOL_VERSION) };
}

/// Runs `f`, which writes or reads a message of `version`. The formats run no other code on this thread meanwhile.
pub(super) fn within<T>(version: u8, f: impl FnOnce() -> T) -> T {
    /// Restores the version, also after a panic.
    struct Restore(u8);
    impl Drop for Restore {
        fn drop(&mut self) {
            VERSION.set(self.0);
        }
    }
    let _restore = Restore(VERSION.replace(version));
    f()
}

#[allow(dead_code, reason = "version 14 adds no field")]
pub(super) fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    // bincode writes nothing for a unit.
    if VERSION.get() < PROTOCOL_VERSION { serializer.serialize_unit() } else { value.serialize(serializer) }
}

#[allow(dead_code, reason = "version 14 adds no field")]
pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Default + Deserialize<'de>,
    D: Deserializer<'de>,
{
    if VERSION.get() < PROTOCOL_VERSION { Ok(T::default()) } else { T::deserialize(deserializer) }
}

#[cfg(test)]
mod tests {
    use bincode::config::standard;
    use bincode::serde::{decode_from_slice, encode_to_vec};

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Message {
        old: u8,
        #[serde(with = "super")]
        new: Option<u8>,
    }

    #[test]
    fn newer_fields_travel_in_this_version_alone() {
        let message = Message { old: 7, new: Some(9) };
        for (version, bytes, read) in
            [(PROTOCOL_VERSION, vec![7, 1, 9], Some(9)), (PROTOCOL_VERSION - 1, vec![7], None)]
        {
            let written = within(version, || encode_to_vec(&message, standard())).unwrap();
            assert_eq!(written, bytes);
            let (back, _): (Message, usize) = within(version, || decode_from_slice(&written, standard())).unwrap();
            assert_eq!(back, Message { old: 7, new: read });
        }
    }
}
