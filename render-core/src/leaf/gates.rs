//! [`misses`]: the faults of pages that only show once they are drawn.

use super::page::{Leaf, located};
use crate::inspect;
use crate::raster::Pixmap;
use crate::scene::Scene;
use crate::text::Fonts;
use crate::tree::Fault;

/// The texts of pages that break a hard measure of quality, such as words that can't be read on what is under them.
/// `backdrop` draws [`inspect::without_text`] of a scene; [`inspect::proof_canvas`] is large enough.
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
