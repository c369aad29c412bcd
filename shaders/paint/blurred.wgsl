// Paint: a blurred picture, enlarged bilinearly. Mirrors `BlurredImage`.

struct BlurredImage {
    // Added to pixels, gives those of the canvas it was drawn on.
    shift: vec2<i32>,
    // Its first texel on that canvas's grid.
    first: vec2<i32>,
    // Texels across and down.
    size: vec2<u32>,
    // Edge in pixels of a texel.
    factor: f32,
    // What a level may rise from texel to texel for its bands to show; below 0 where none is dithered.
    steep: f32,
    // And what at least.
    flat_slope: f32,
}

@group(2) @binding(0) var<storage, read> images: array<BlurredImage>;
@group(2) @binding(1) var<storage, read> texels: array<vec4<f32>>;

fn largest(v: vec4<f32>) -> f32 {
    return max(max(v.x, v.y), max(v.z, v.w));
}

fn paint(index: u32, p: vec2<f32>) -> Source {
    let it = images[index];
    let last = it.size - 1u;
    let texel = (p + vec2<f32>(it.shift)) * (1.0 / it.factor) - 0.5 - vec2<f32>(it.first);
    let at = clamp(texel, vec2<f32>(0.0), vec2<f32>(last));
    let i = min(vec2<u32>(at), max(it.size, vec2<u32>(2u)) - 2u);
    let j = min(i + 1u, last);
    let f = at - vec2<f32>(i);
    let a = texels[i.y * it.size.x + i.x];
    let b = texels[i.y * it.size.x + j.x];
    let c = texels[j.y * it.size.x + i.x];
    let d = texels[j.y * it.size.x + j.x];
    let slope = largest(max(max(abs(b - a), abs(d - c)), max(abs(c - a), abs(d - b))));
    let dither = select(0.0, 1.0, slope < it.steep && slope > it.flat_slope);
    return Source(mix(mix(a, b, f.x), mix(c, d, f.x), f.y), dither);
}
