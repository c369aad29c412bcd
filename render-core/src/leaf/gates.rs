//! [`misses`]: faults of pages that only the drawn pixels reveal.

use super::page::{Leaf, located};
use crate::inspect;
use crate::raster::Pixmap;
use crate::scene::Scene;
use crate::text::Fonts;
use crate::tree::Fault;

/// Returns the texts of pages that break a hard quality limit, such as words that can't be read on what is under them.
/// `backdrop` draws [`inspect::without_text`] of a scene; a canvas of [`inspect::proof_canvas`] is large enough.
///
/// # Errors
/// Those of `backdrop`.
pub fn misses<E>(
    leaves: &[Leaf],
    fonts: &Fonts,
    mut backdrop: impl FnMut(&Scene) -> Result<Pixmap, E>,
) -> Result<Vec<Fault>, E> {
    let mut faults = Vec::new();
    for (index, leaf) in leaves.iter().enumerate() {
        let found = match leaf.compose(fonts) {
            Ok(composed) => {
                let pixels = backdrop(&composed.scene)?;
                let misses = inspect::misses(&composed.scene, leaf, &pixels);
                misses.into_iter().map(|miss| Fault::new(miss.slot, miss.message)).collect()
            }
            Err(faults) => faults,
        };
        faults.extend(found.into_iter().map(|fault| located(fault, index, leaves.len() > 1)));
    }
    Ok(faults)
}
