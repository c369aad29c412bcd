//! Noise on the integer lattice.

/// Hashes a lattice point (rounds as in Wellons' hash prospector).
#[inline(always)]
pub(super) fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut h = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77).rotate_left(13);
    h = h.wrapping_add(seed.wrapping_mul(0xC2B2_AE3D));
    h ^= h >> 16;
    h = h.wrapping_mul(0x7FEB_352D);
    h ^= h >> 15;
    h = h.wrapping_mul(0x846C_A68B);
    h ^ (h >> 16)
}

/// Returns 6t⁵ − 15t⁴ + 10t³ (Perlin 2002): 0 to 1, with zero first and second derivatives at the ends.
#[inline(always)]
fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

/// The derivative of `fade`.
#[inline(always)]
fn fade_slope(t: f32) -> f32 {
    30.0 * t * t * (t * (t - 2.0) + 1.0)
}

#[inline(always)]
fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// Returns value noise, from 0 to 1: a random number at every lattice point, interpolated smoothly.
#[inline(always)]
pub(super) fn value(u: f32, v: f32, seed: u32) -> f32 {
    let (i, j) = (u.floor(), v.floor());
    let (s, t) = (fade(u - i), fade(v - j));
    let (i, j) = (i as i32, j as i32);
    let at = |dx: i32, dy: i32| (hash(i + dx, j + dy, seed) >> 8) as f32 * (1.0 / 16_777_216.0);
    mix(mix(at(0, 0), at(1, 0), s), mix(at(0, 1), at(1, 1), s), t)
}

/// Returns gradient noise (Perlin 1985, 2002), with its derivatives along u and v. It is 0 at every lattice point, with
/// a slope of 1 in a random direction there, and stays within ±0.71.
#[inline(always)]
pub(super) fn gradient(u: f32, v: f32, seed: u32) -> [f32; 3] {
    let (i, j) = (u.floor(), v.floor());
    let (x, y) = (u - i, v - j);
    let (i, j) = (i as i32, j as i32);
    let direction = |dx: i32, dy: i32| {
        let h = hash(i + dx, j + dy, seed);
        // A point of a square, offset by half a step from the middle so that it always has a direction, normalised to
        // the unit circle.
        let part = |bits: u32| (bits as f32 + 0.5) * (1.0 / 32_768.0) - 1.0;
        let (a, b) = (part(h & 0xFFFF), part(h >> 16));
        let length = (a * a + b * b).sqrt();
        (a / length, b / length)
    };
    let (p, q, r, s) = (direction(0, 0), direction(1, 0), direction(0, 1), direction(1, 1));
    let (a, b) = (p.0 * x + p.1 * y, q.0 * (x - 1.0) + q.1 * y);
    let (c, d) = (r.0 * x + r.1 * (y - 1.0), s.0 * (x - 1.0) + s.1 * (y - 1.0));
    let (fx, fy) = (fade(x), fade(y));
    let (top, below) = (mix(a, b, fx), mix(c, d, fx));
    let gx = mix(mix(p.0, q.0, fx), mix(r.0, s.0, fx), fy) + fade_slope(x) * mix(b - a, d - c, fy);
    let gy = mix(mix(p.1, q.1, fx), mix(r.1, s.1, fx), fy) + fade_slope(y) * (below - top);
    [mix(top, below, fy), gx, gy]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_noise() {
        for k in 0..200 {
            let (u, v) = (k as f32 * 0.173 - 9.0, 4.0 - k as f32 * 0.091);
            let [_, gx, gy] = gradient(u, v, 7);
            let d = 1.0 / 512.0;
            let dx = (gradient(u + d, v, 7)[0] - gradient(u - d, v, 7)[0]) / (2.0 * d);
            let dy = (gradient(u, v + d, 7)[0] - gradient(u, v - d, 7)[0]) / (2.0 * d);
            assert!((gx - dx).abs() < 0.01 && (gy - dy).abs() < 0.01, "{u} {v}: {gx} {dx}, {gy} {dy}");
        }
    }

    #[test]
    fn nothing_jumps_at_lattice_lines() {
        for k in 0..100 {
            let v = k as f32 * 0.37 - 11.0;
            for i in [-3.0_f32, 0.0, 4.0] {
                let (left, right) = (i - 1e-5, i + 1e-5);
                assert!((gradient(left, v, 1)[0] - gradient(right, v, 1)[0]).abs() < 1e-4);
                assert!((value(left, v, 1) - value(right, v, 1)).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn hashes_are_even() {
        let mean = |of: fn(i32) -> u32| (0..4096).map(|i| f64::from(of(i))).sum::<f64>() / 4096.0 / f64::from(u32::MAX);
        let along: [fn(i32) -> u32; 3] = [|i| hash(i, 0, 0), |i| hash(0, i, 0), |i| hash(5, -5, i as u32)];
        for of in along {
            assert!((mean(of) - 0.5).abs() < 0.02);
        }
    }
}
