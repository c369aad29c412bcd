//! The n-gram model that distinguishes 36 languages, as written by `assets/languages/vendor.py`.
//!
//! The model is a naive Bayes classifier. At every byte of a text, the longest known n-gram that ends there counts.
//! The cost of an n-gram for a language is how much less likely the n-gram is than in the language where it is
//! likeliest, weighted by the logarithm of its count.

use std::sync::LazyLock;

/// The model's languages, in the order of its columns. The model's `no` is Bokmål, as its training texts are, and is
/// named `nb` here.
pub(super) const LANGUAGES: [&str; COUNT] = [
    "en", "de", "fr", "es", "pt", "it", "nl", "sv", "nb", "da", "fi", "pl", "cs", "sk", "hu", "ro", "bg", "uk", "ru",
    "el", "tr", "vi", "id", "ms", "sw", "tl", "ar", "fa", "he", "hi", "bn", "ta", "th", "zh", "ja", "ko",
];
pub(super) const COUNT: usize = 36;

static PACKED: &[u8] = include_bytes!("../../../assets/languages/model.bin.zst");
const MAGIC: &[u8] = b"LID36\0\0\x01";
/// Minimum and maximum bytes of an n-gram.
const SHORTEST: usize = 2;
const LONGEST: usize = 6;
/// Bytes of an n-gram's costs: half a byte per language.
const ROW: usize = COUNT / 2;
/// Nats per step of a cost.
const STEP: f32 = 7.0 / 15.0;

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let bytes = zstd::decode_all(PACKED).expect("the vendored model unpacks; a test loads it");
    Model::read(&bytes).expect("the vendored model is valid; a test loads it")
});

/// Returns the cost of a text in each language, in nats. The language with the lowest cost is the likeliest.
pub(super) fn costs(text: &str) -> [f32; COUNT] {
    MODEL.costs(text.as_bytes())
}

/// N-grams in a hash table with open addressing, about half full: 2.7 MB.
struct Model {
    /// [`key`]s, where 0 is an empty slot.
    keys: Vec<u64>,
    /// The row of the key in the same slot.
    places: Vec<u32>,
    rows: Vec<[u8; ROW]>,
    /// 64 minus the binary logarithm of the number of slots.
    shift: u32,
}

impl Model {
    /// Parses a model. Returns `None` if the bytes are invalid.
    fn read(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (count, rest) = rest.split_first_chunk::<4>()?;
        let count = u32::from_le_bytes(*count);
        let (codes, mut rest) = rest.split_at_checked(2 * COUNT)?;
        let known = codes.chunks(2).zip(LANGUAGES).all(|(code, known)| code == known.as_bytes() || known == "nb");
        if !known || count as usize > bytes.len() {
            return None;
        }
        let slots = (count as usize * 3 / 2).next_power_of_two();
        let mut model = Self {
            keys: vec![0; slots],
            places: vec![0; slots],
            rows: Vec::with_capacity(count as usize),
            shift: u64::BITS - slots.trailing_zeros(),
        };
        for place in 0..count {
            let (len, tail) = rest.split_first()?;
            let (ngram, tail) = tail.split_at_checked(usize::from(*len))?;
            if !(SHORTEST..=LONGEST).contains(&ngram.len()) {
                return None;
            }
            let packed = ngram.iter().fold(0, |packed, byte| packed << 8 | u64::from(*byte));
            model.insert(key(packed, ngram.len()), place);
            rest = tail;
        }
        let (rows, left) = rest.as_chunks::<ROW>();
        model.rows.extend_from_slice(rows);
        (left.is_empty() && rows.len() == count as usize).then_some(model)
    }

    fn insert(&mut self, key: u64, place: u32) {
        let mut slot = self.slot(key);
        while self.keys[slot] != 0 {
            slot = (slot + 1) & (self.keys.len() - 1);
        }
        (self.keys[slot], self.places[slot]) = (key, place);
    }

    /// Returns the first slot of the search for a key.
    fn slot(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// Returns the row of a key.
    fn place(&self, key: u64) -> Option<u32> {
        let mut slot = self.slot(key);
        while self.keys[slot] != key {
            if self.keys[slot] == 0 {
                return None;
            }
            slot = (slot + 1) & (self.keys.len() - 1);
        }
        Some(self.places[slot])
    }

    fn costs(&self, text: &[u8]) -> [f32; COUNT] {
        let mut found = Vec::with_capacity(text.len());
        let mut last = 0;
        for (at, byte) in text.iter().enumerate() {
            last = last << 8 | u64::from(*byte);
            let lengths = (SHORTEST..=LONGEST.min(at + 1)).rev();
            found.extend(lengths.map(|len| key(last, len)).find_map(|key| self.place(key)));
        }
        found.sort_unstable();
        let mut costs = [0.0; COUNT];
        for same in found.chunk_by(|a, b| a == b) {
            let weight = libm::log1pf(same.len() as f32) * STEP;
            let row = &self.rows[same[0] as usize];
            for (pair, both) in costs.as_chunks_mut::<2>().0.iter_mut().zip(row) {
                pair[0] += weight * f32::from(both & 15);
                pair[1] += weight * f32::from(both >> 4);
            }
        }
        costs
    }
}

/// Returns the last `len` bytes of `packed`, tagged with their number.
fn key(packed: u64, len: usize) -> u64 {
    packed & ((1 << (8 * len)) - 1) | (len as u64) << 48
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vendored_model_holds_its_n_grams() {
        assert!(MODEL.rows.len() > 60_000 && MODEL.keys.iter().filter(|k| **k != 0).count() == MODEL.rows.len());
        let mut places: Vec<u32> = MODEL.keys.iter().filter(|k| **k != 0).filter_map(|k| MODEL.place(*k)).collect();
        places.sort_unstable();
        assert!(places.iter().enumerate().all(|(i, place)| i == *place as usize));
    }

    #[test]
    fn what_is_no_model_is_refused() {
        let bytes = zstd::decode_all(PACKED).unwrap();
        assert!(Model::read(&bytes).is_some());
        for broken in [&bytes[..bytes.len() - 1], &bytes[1..], &bytes[..90], b""] {
            assert!(Model::read(broken).is_none(), "{} bytes", broken.len());
        }
    }
}
