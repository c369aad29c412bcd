//! Faces that are added while others read. They stay for as long as the [`super::Fonts`] do.

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::check::{self, FontFault};
use super::loaded::Loaded;
use super::vendored::VENDORED;
use super::{FaceId, Family};
use crate::limits::{ADDED_FACE_BYTES, ADDED_FACES, FONT_BYTES};

/// Why a face can't be added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddError {
    /// The file didn't come through [`super::check_font`].
    #[error(transparent)]
    Unfit(#[from] FontFault),
    /// A face of this family and weight is there.
    #[error("{family} is there in weight {weight}")]
    Twice {
        /// Name of the family.
        family: String,
        /// The weight.
        weight: u16,
    },
    /// There are [`ADDED_FACES`] of [`ADDED_FACE_BYTES`] at most.
    #[error("there are as many faces as there may be")]
    Full,
}

/// A face that was added.
pub(super) struct AddedFace {
    pub family: &'static str,
    pub weight: u16,
    pub loaded: Loaded,
}

/// Places for faces, filled from the first on.
pub(super) struct Added {
    places: Box<[OnceLock<AddedFace>]>,
    /// Bytes of all that are there; held by whoever adds one.
    bytes: Mutex<usize>,
}

impl Default for Added {
    fn default() -> Self {
        Self { places: (0..ADDED_FACES).map(|_| OnceLock::new()).collect(), bytes: Mutex::new(0) }
    }
}

impl Added {
    /// All that are there.
    pub fn faces(&self) -> impl Iterator<Item = &AddedFace> {
        self.places.iter().map_while(OnceLock::get)
    }

    /// The face of an id that was given for it.
    pub fn at(&self, face: FaceId) -> &AddedFace {
        let place = self.places.get(face.index() - VENDORED.len()).and_then(OnceLock::get);
        place.expect("an id comes from these fonts, which lose no face")
    }

    /// Adds a face and says in which place.
    ///
    /// # Errors
    /// [`AddError`].
    pub fn add(&self, sfnt: Vec<u8>) -> Result<usize, AddError> {
        let size = sfnt.len();
        if size > FONT_BYTES {
            return Err(FontFault::TooLarge.into());
        }
        let loaded = Loaded::added(sfnt).ok_or(FontFault::NotAFont)?;
        let check::Description { family, weight } = check::describe(&loaded.font_ref())?;
        if Family::from_name(&family).is_some() {
            return Err(AddError::Twice { family, weight });
        }
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let count = self.faces().count();
        if count == ADDED_FACES || *bytes + size > ADDED_FACE_BYTES {
            return Err(AddError::Full);
        }
        if self.faces().any(|face| face.family == family && face.weight == weight) {
            return Err(AddError::Twice { family, weight });
        }
        let face = AddedFace { family: kept(family), weight, loaded };
        self.places[count].set(face).ok().expect("the first empty place is empty for whoever holds the lock");
        *bytes += size;
        Ok(count)
    }
}

/// The name for as long as the process runs, so that a [`Family`] is as easy to copy for an added face as for another.
/// A name is kept once, and there are no more of them than faces were added.
fn kept(name: String) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(name) = names.get(name.as_str()) {
        return name;
    }
    let name: &'static str = name.leak();
    names.insert(name);
    name
}
