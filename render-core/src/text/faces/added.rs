//! Faces from outside: those added at run time, which stay as long as the [`super::Fonts`], and those that a brand
//! provides for its own pages.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::check::{self, FontFault};
use super::loaded::Loaded;
use super::vendored::VENDORED;
use crate::limits::{ADDED_FACE_BYTES, ADDED_FACES, FONT_BYTES};
use crate::scene::FaceId;
use crate::text::Family;

/// Why a face can't be added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddError {
    /// The file failed [`super::check_font`].
    #[error(transparent)]
    Unfit(#[from] FontFault),
    /// A face of this family and weight already exists.
    #[error("{family} already exists in weight {weight}")]
    Twice {
        /// Name of the family.
        family: String,
        /// The weight.
        weight: u16,
    },
    /// The limit of [`ADDED_FACES`] faces or [`ADDED_FACE_BYTES`] is reached.
    #[error("the limit on added faces is reached")]
    Full,
}

/// An added face.
pub(super) struct AddedFace {
    pub family: Family,
    pub weight: u16,
    pub loaded: Loaded,
}

/// Slots for added faces, filled from the first on.
pub(super) struct Added {
    places: Box<[OnceLock<AddedFace>]>,
    /// Total bytes of the added faces. Adding a face holds this lock.
    bytes: Mutex<usize>,
}

impl Default for Added {
    fn default() -> Self {
        Self { places: (0..ADDED_FACES).map(|_| OnceLock::new()).collect(), bytes: Mutex::new(0) }
    }
}

impl Added {
    /// Returns all added faces.
    pub fn faces(&self) -> impl Iterator<Item = &AddedFace> {
        self.places.iter().map_while(OnceLock::get)
    }

    /// Returns the face of an id that `add` assigned.
    pub fn at(&self, face: FaceId) -> &AddedFace {
        let place = self.places.get(face.index() - VENDORED.len()).and_then(OnceLock::get);
        place.expect("an id comes from these fonts, which lose no face")
    }

    /// Adds a face and returns its slot.
    ///
    /// # Errors
    /// [`AddError`].
    pub fn add(&self, sfnt: Vec<u8>) -> Result<usize, AddError> {
        let size = sfnt.len();
        let (check::Description { family, weight }, loaded) = described(sfnt)?;
        if Family::from_name(&family).is_some() {
            return Err(AddError::Twice { family, weight });
        }
        let mut bytes = self.bytes.lock();
        let count = self.faces().count();
        if count == ADDED_FACES || *bytes + size > ADDED_FACE_BYTES {
            return Err(AddError::Full);
        }
        if self.faces().any(|face| face.family.name() == family && face.weight == weight) {
            return Err(AddError::Twice { family, weight });
        }
        let face = AddedFace { family: Family::added(&family), weight, loaded };
        self.places[count].set(face).ok().expect("the first empty place is empty for whoever holds the lock");
        *bytes += size;
        Ok(count)
    }
}

/// A face that is available only in the fonts that it is passed to ([`super::Fonts::with`]). Clones share it.
#[derive(Clone)]
pub struct OwnFace(Arc<Own>);

struct Own {
    id: FaceId,
    family: String,
    weight: u16,
    loaded: Loaded,
}

/// Ids of brands' own faces start here, above all other ids.
const FIRST_OWN: u32 = 1 << 16;

impl OwnFace {
    /// Creates a face from a whole file that passed [`super::check_font`].
    ///
    /// # Errors
    /// [`FontFault`].
    pub fn new(sfnt: Vec<u8>) -> Result<Self, FontFault> {
        // Caches, such as the one for outlines, are keyed by face id, so ids must be unique.
        static NEXT: AtomicU32 = AtomicU32::new(FIRST_OWN);
        let (check::Description { family, weight }, loaded) = described(sfnt)?;
        let next = |id: u32| id.checked_add(1).or(Some(FIRST_OWN));
        let id = NEXT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).unwrap_or(FIRST_OWN);
        Ok(Self(Arc::new(Own { id: FaceId(id), family, weight, loaded })))
    }

    /// Returns the family name in the file.
    pub fn family(&self) -> &str {
        &self.0.family
    }

    /// Returns the weight, 100–900.
    pub fn weight(&self) -> u16 {
        self.0.weight
    }

    /// Returns the size of the file in bytes.
    pub fn bytes(&self) -> usize {
        self.0.loaded.bytes.len()
    }

    pub(super) fn id(&self) -> FaceId {
        self.0.id
    }

    pub(super) fn loaded(&self) -> &Loaded {
        &self.0.loaded
    }
}

impl std::fmt::Debug for OwnFace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OwnFace({:?} {})", self.family(), self.weight())
    }
}

/// Parses a font file and describes it.
fn described(sfnt: Vec<u8>) -> Result<(check::Description, Loaded), FontFault> {
    if sfnt.len() > FONT_BYTES {
        return Err(FontFault::TooLarge);
    }
    let loaded = Loaded::added(sfnt).ok_or(FontFault::NotAFont)?;
    Ok((check::describe(&loaded.font_ref())?, loaded))
}
