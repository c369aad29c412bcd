//! Buffers for blurred pictures, reused between pages.

use parking_lot::Mutex;

use super::blurred::{BlurredImage, Texel};
use crate::limits::IDLE_TEXELS;

/// Idle buffers.
#[derive(Default)]
pub(super) struct Pool(Mutex<Idle>);

#[derive(Default)]
struct Idle {
    texels: Vec<Vec<Texel>>,
    blurs: Vec<Vec<Option<BlurredImage>>>,
}

impl Pool {
    /// Returns `count` transparent texels.
    pub fn texels(&self, count: usize) -> Vec<Texel> {
        let mut idle = self.0.lock();
        // Takes the smallest buffer that is large enough, so that the largest ones stay available.
        let fits = |v: &Vec<Texel>| v.capacity() >= count;
        let best = (0..idle.texels.len()).filter(|i| fits(&idle.texels[*i])).min_by_key(|i| idle.texels[*i].capacity());
        let found = best.map(|i| idle.texels.swap_remove(i));
        drop(idle);
        let mut texels = found.unwrap_or_default();
        texels.clear();
        texels.resize(count, [0.0; 4]);
        texels
    }

    /// Takes texels back, or drops them if more than [`IDLE_TEXELS`] would be idle.
    pub fn give(&self, texels: Vec<Texel>) {
        let mut idle = self.0.lock();
        let held: usize = idle.texels.iter().map(Vec::capacity).sum();
        if held + texels.capacity() <= IDLE_TEXELS {
            idle.texels.push(texels);
        }
    }

    /// Returns an empty list of blurred pictures.
    pub fn blurs(&self) -> Vec<Option<BlurredImage>> {
        self.0.lock().blurs.pop().unwrap_or_default()
    }

    /// Takes blurred pictures back.
    pub fn give_blurs(&self, mut blurs: Vec<Option<BlurredImage>>) {
        for blurred in blurs.drain(..).flatten() {
            self.give(blurred.texels);
        }
        if blurs.capacity() > 0 {
            self.0.lock().blurs.push(blurs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_that_is_large_enough_is_used_again() {
        let pool = Pool::default();
        let [small, large] = [10, 1000].map(|count| pool.texels(count));
        let at = small.as_ptr();
        pool.give(large);
        pool.give(small);
        let again = pool.texels(9);
        assert_eq!((again.as_ptr(), again.len()), (at, 9));
    }

    #[test]
    fn what_comes_back_holds_nothing() {
        let pool = Pool::default();
        let mut texels = pool.texels(4);
        texels.fill([1.0; 4]);
        pool.give(texels);
        assert_eq!(pool.texels(4), [[0.0; 4]; 4]);
    }

    #[test]
    fn no_more_than_the_limit_lies_idle() {
        let pool = Pool::default();
        for _ in 0..5 {
            pool.give(Vec::with_capacity(IDLE_TEXELS / 3));
        }
        assert_eq!(pool.0.lock().texels.len(), 3);
    }
}
