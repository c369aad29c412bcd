// Coverage: a piece of a path, cut along cells of 64 × 16 pixels. `shape` says which tile of masks it is, a byte a pixel;
// where there is none all is covered.

@group(1) @binding(0) var<storage, read> tiles: array<u32>;

fn coverage(in: Corner, p: vec2<f32>) -> f32 {
    if in.shape == 0xffffffffu {
        return 1.0;
    }
    let at = vec2<u32>(p) & vec2<u32>(63u, 15u);
    let four = tiles[in.shape * 256u + at.y * 16u + (at.x >> 2u)];
    return f32((four >> ((at.x & 3u) * 8u)) & 0xffu) / 255.0;
}
