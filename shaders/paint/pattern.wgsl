// Paint: a procedural pattern, whose value is looked up in a table of colours. Mirrors `Pattern`; the formulas are those
// of render-core/src/raster/pattern.

struct Pattern {
    // The linear part of the map from pixels to the pattern's space, by rows.
    map: vec4<f32>,
    // What its kind needs.
    first: vec4<f32>,
    second: vec4<f32>,
    more: vec2<f32>,
    // What the map adds.
    at: vec2<f32>,
    // Where its colours begin, and where its bands; there are none where that is 0xffffffff.
    table: u32,
    bands: u32,
    kind: u32,
    seed: u32,
}

@group(2) @binding(0) var<storage, read> patterns: array<Pattern>;

const TAU: f32 = 6.2831855;
const FAR: f32 = 65536.0;

fn paint(index: u32, p: vec2<f32>) -> Source {
    let it = patterns[index];
    let at = vec2<f32>(it.map.x * p.x + it.map.y * p.y, it.map.z * p.x + it.map.w * p.y) + it.at;
    let u = clamp(at, vec2<f32>(-FAR), vec2<f32>(FAR));
    return look_up(value_at(it, u), it.table, it.bands);
}

fn value_at(it: Pattern, u: vec2<f32>) -> f32 {
    switch it.kind {
        case 0u: { return clouds(u, it.seed, it.first, it.second, it.more.x); }
        case 1u: { return grain(u, it.seed, it.first.x); }
        case 2u: { return rays(u, it.first.x, it.first.y); }
        case 3u: { return contours(u, it.seed, it.first, it.more); }
        case 4u: { return halftone(u, it.first.xyz, it.first.w, it.more.x); }
        case 5u: { return discs(u, it.first.x, it.first.y, it.first.z); }
        case 6u: { return stars(u, it.seed, it.first.x, it.first.y); }
        case 7u: { return waves(u, it.first.x, it.first.y, it.first.z, it.first.w); }
        default: { return blobs(u, it.seed, it.first.x); }
    }
}

// A number of chance for a lattice point.
fn hash(at: vec2<i32>, seed: u32) -> u32 {
    let y = u32(at.y) * 0x85ebca77u;
    var h = (u32(at.x) * 0x9e3779b1u) ^ ((y << 13u) | (y >> 19u));
    h += seed * 0xc2b2ae3du;
    h ^= h >> 16u;
    h *= 0x7feb352du;
    h ^= h >> 15u;
    h *= 0x846ca68bu;
    return h ^ (h >> 16u);
}

// 6t⁵ − 15t⁴ + 10t³.
fn fade(t: vec2<f32>) -> vec2<f32> {
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

fn fade_slope(t: vec2<f32>) -> vec2<f32> {
    return 30.0 * t * t * (t * (t - 2.0) + 1.0);
}

fn chance(at: vec2<i32>, seed: u32) -> f32 {
    return f32(hash(at, seed) >> 8u) * (1.0 / 16777216.0);
}

// Value noise, from 0 to 1.
fn value_noise(u: vec2<f32>, seed: u32) -> f32 {
    let cell = floor(u);
    let f = fade(u - cell);
    let i = vec2<i32>(cell);
    return mix(
        mix(chance(i, seed), chance(i + vec2<i32>(1, 0), seed), f.x),
        mix(chance(i + vec2<i32>(0, 1), seed), chance(i + vec2<i32>(1, 1), seed), f.x),
        f.y,
    );
}

fn direction(at: vec2<i32>, seed: u32) -> vec2<f32> {
    let h = hash(at, seed);
    let d = (vec2<f32>(f32(h & 0xffffu), f32(h >> 16u)) + 0.5) * (1.0 / 32768.0) - 1.0;
    return d / length(d);
}

// Gradient noise, and its slopes along u.
fn gradient_noise(u: vec2<f32>, seed: u32) -> vec3<f32> {
    let cell = floor(u);
    let at = u - cell;
    let i = vec2<i32>(cell);
    let p = direction(i, seed);
    let q = direction(i + vec2<i32>(1, 0), seed);
    let r = direction(i + vec2<i32>(0, 1), seed);
    let s = direction(i + vec2<i32>(1, 1), seed);
    let a = dot(p, at);
    let b = dot(q, at - vec2<f32>(1.0, 0.0));
    let c = dot(r, at - vec2<f32>(0.0, 1.0));
    let d = dot(s, at - vec2<f32>(1.0, 1.0));
    let f = fade(at);
    let slope = fade_slope(at);
    let above = mix(a, b, f.x);
    let below = mix(c, d, f.x);
    let turned = mix(mix(p, q, f.x), mix(r, s, f.x), f.y);
    return vec3<f32>(
        mix(above, below, f.y),
        turned.x + slope.x * mix(b - a, d - c, f.y),
        turned.y + slope.y * (below - above),
    );
}

// The next octave's lattice.
fn turned(u: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(1.6 * u.x - 1.2 * u.y + 0.37, 1.2 * u.x + 1.6 * u.y + 0.71);
}

// From −1 to 1.
fn soft(t: f32) -> f32 {
    return t / sqrt(1.0 + t * t);
}

fn clouds(point: vec2<f32>, seed: u32, first: vec4<f32>, second: vec4<f32>, gain: f32) -> f32 {
    var u = point;
    var sum = 0.0;
    for (var i = 0u; i < 8u; i++) {
        let w = select(second[i & 3u], first[i & 3u], i < 4u);
        if w > 0.0 {
            sum += w * gradient_noise(u, seed + i).x;
        }
        u = turned(u);
    }
    return 0.5 + 0.5 * soft(sum * gain);
}

fn grain(u: vec2<f32>, seed: u32, weight: f32) -> f32 {
    let other = vec2<f32>(0.8 * u.x - 0.6 * u.y + 0.37, 0.6 * u.x + 0.8 * u.y + 0.71);
    let sum = value_noise(u, seed) + value_noise(other, seed + 1u) - 1.0;
    return 0.5 + 0.5 * soft(sum * 2.5) * weight;
}

fn rays(u: vec2<f32>, count: f32, px: f32) -> f32 {
    let t = turn(u) * count + 0.5;
    let from_middle = abs(t - floor(t) - 0.5);
    return unit(0.5 + (0.25 - from_middle) * (TAU * length(u) * px / count));
}

// How much of a pixel lines cover that repeat every `pitch` pixels; their mean where that is little.
fn lines(d: f32, thick: f32, pitch: f32) -> f32 {
    let line = max(min(d + 0.5, thick) - max(d - 0.5, -thick), 0.0);
    let mean = min(2.0 * thick / max(pitch, 1e-6), 1.0);
    return mix(mean, line, unit(pitch - 1.0));
}

// `it` is levels, half a line's width and a unit in pixels, what is left of the lines; `more` their mean.
fn contours(u: vec2<f32>, seed: u32, it: vec4<f32>, more: vec2<f32>) -> f32 {
    let h = gradient_noise(u, seed);
    let g = gradient_noise(turned(u), seed + 1u);
    let rise = h.yz + 0.25 * vec2<f32>(1.6 * g.y + 1.2 * g.z, 1.6 * g.z - 1.2 * g.y);
    let level = (0.5 + 0.6 * (h.x + 0.25 * g.x)) * it.x;
    let slope = 0.6 * it.x * length(rise);
    let pitch = it.z / max(slope, 1e-6);
    return mix(more.x, lines(abs(level - floor(level) - 0.5) * pitch, it.y, pitch), it.w);
}

fn disc_at(d: f32, radius: f32) -> f32 {
    return unit(radius - d + 0.5) * min(4.0 * radius * radius, 1.0);
}

fn discs(u: vec2<f32>, radius: f32, px: f32, weight: f32) -> f32 {
    let cover = disc_at(length(u - floor(u) - 0.5) * px, radius * px);
    let apart = 3.1415927 * radius * radius;
    let touching = 0.7853982 + (radius - 0.5) * 1.0363;
    return mix(unit(select(touching, apart, radius < 0.5)), cover, weight);
}

fn halftone(u: vec2<f32>, tone: vec3<f32>, px: f32, weight: f32) -> f32 {
    return discs(u, unit(tone.x * u.x + tone.y * u.y + tone.z) * (0.70710678 + 0.5 / px), px, weight);
}

// The share of `h` that `bits` bits from `shift` on make.
fn share(h: u32, shift: u32, bits: u32) -> f32 {
    return f32((h >> shift) & ((1u << bits) - 1u)) / f32(1u << bits);
}

fn stars(u: vec2<f32>, seed: u32, radius: f32, px: f32) -> f32 {
    let cell = floor(u);
    var most = 0.0;
    for (var dy = -1; dy <= 1; dy++) {
        for (var dx = -1; dx <= 1; dx++) {
            let h = hash(vec2<i32>(cell) + vec2<i32>(dx, dy), seed);
            let at = u - cell - vec2<f32>(f32(dx), f32(dy)) - vec2<f32>(share(h, 0u, 10u), share(h, 10u, 10u));
            let rank = share(h, 20u, 12u);
            let size = rank * rank * rank;
            let star = disc_at(length(at) * px, radius * px * (0.2 + 0.8 * size));
            most = max(most, star * (0.25 + 0.3 * rank + 0.45 * size));
        }
    }
    return most;
}

// The sine of `turns`, by Taylor's polynomial.
fn sine(turns: f32) -> f32 {
    let t = turns - floor(turns + 0.5);
    let right = select(t, 0.5 - t, t > 0.25);
    let x = select(right, -0.5 - t, t < -0.25) * TAU;
    let s = x * x;
    return x * (1.0 + s * (-1.0 / 6.0 + s * (1.0 / 120.0 - s * (1.0 / 5040.0))));
}

fn waves(u: vec2<f32>, wave: f32, amplitude: f32, thick: f32, px: f32) -> f32 {
    let t = u.x / wave;
    let y = u.y - amplitude * sine(t);
    let slope = TAU * amplitude / wave * sine(t + 0.25);
    let pitch = px / sqrt(1.0 + slope * slope);
    return lines(abs(y - floor(y) - 0.5) * pitch, thick, pitch);
}

fn blobs(u: vec2<f32>, seed: u32, reach: f32) -> f32 {
    let cell = floor(u);
    let cells = select(1, 2, reach > 1.0);
    var left = 1.0;
    for (var dy = -cells; dy <= cells; dy++) {
        for (var dx = -cells; dx <= cells; dx++) {
            let h = hash(vec2<i32>(cell) + vec2<i32>(dx, dy), seed);
            let at = u - cell - vec2<f32>(f32(dx), f32(dy)) - vec2<f32>(share(h, 0u, 10u), share(h, 10u, 10u));
            let k = max(1.0 - dot(at, at) / (reach * reach), 0.0);
            left *= 1.0 - share(h, 20u, 12u) * (k * k * k);
        }
    }
    return 1.0 - left;
}
