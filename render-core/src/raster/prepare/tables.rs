//! Caches of tables that persist between pages: those of the most recent paints and shadows, and pictures.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::raster::gradient::{Bands, GradientTable};
use crate::raster::mesh::MeshTable;
use crate::raster::picture::{Picture, Pictures};
use crate::raster::shadow::Shadow;
use crate::scene::{Color, Image, Stop};

/// Tables of the most recent paints and shadows, and pictures.
#[derive(Default)]
pub(in crate::raster) struct Tables {
    gradients: Recent<Arc<[Stop]>, GradientTable, 64>,
    /// Keyed by gradient and its length in pixels.
    bands: Recent<(Same<GradientTable>, u32), Bands, 64>,
    meshes: Recent<(u32, Arc<[Color]>), MeshTable, 16>,
    pictures: Pictures,
    /// Keyed by half edges, radius and deviation in pixels.
    shadows: Recent<([f32; 2], f32, f32), Shadow, 64>,
}

impl Tables {
    /// Returns the colours of a gradient, from [`GradientTable::new`].
    pub(super) fn gradient(&self, stops: &Arc<[Stop]>) -> Option<Arc<GradientTable>> {
        self.gradients.get(stops, || GradientTable::new(stops))
    }

    /// Returns the bands of a gradient that is `length` pixels long, from [`GradientTable::bands`].
    pub(super) fn bands(&self, table: &Arc<GradientTable>, length: f32) -> Option<Arc<Bands>> {
        let key = (Same(Arc::clone(table)), length.to_bits());
        self.bands.get(&key, || table.bands(length))
    }

    /// Returns the colours of a mesh, from [`MeshTable::new`].
    pub(super) fn mesh(&self, columns: u32, colors: &Arc<[Color]>) -> Option<Arc<MeshTable>> {
        let key = (columns, Arc::clone(colors));
        self.meshes.get(&key, || MeshTable::new(columns, colors))
    }

    /// Returns a picture reduced to about this size, from [`Pictures::get`].
    pub(super) fn picture(&self, image: &Image, width: u32, height: u32) -> Arc<Picture> {
        self.pictures.get(image, width, height)
    }

    /// Returns the shadow of a box, from [`Shadow::new`].
    pub(super) fn shadow(&self, half: [f32; 2], radius: f32, sigma: f32) -> Option<Arc<Shadow>> {
        self.shadows.get(&(half, radius, sigma), || Some(Shadow::new(half, radius, sigma)))
    }
}

/// A table that is equal only to itself, by address.
struct Same<T>(Arc<T>);

impl<T> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The `N` most recently used values, by key.
struct Recent<K, V, const N: usize>(Mutex<Vec<(K, Arc<V>)>>);

impl<K, V, const N: usize> Default for Recent<K, V, N> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq + Clone, V, const N: usize> Recent<K, V, N> {
    fn get(&self, key: &K, make: impl FnOnce() -> Option<V>) -> Option<Arc<V>> {
        let lock = || self.0.lock();
        {
            let mut known = lock();
            if let Some(i) = known.iter().position(|(known, _)| known == key) {
                // Moves the entry to the end: the first entry is the least recently used one and is evicted first.
                let entry = known.remove(i);
                let value = Arc::clone(&entry.1);
                known.push(entry);
                return Some(value);
            }
        }
        // Makes the value outside the lock; two threads may make the same one.
        let value = Arc::new(make()?);
        let mut known = lock();
        if known.len() >= N {
            known.remove(0);
        }
        known.push((key.clone(), Arc::clone(&value)));
        Some(value)
    }
}
