// The last stage: pixels to bytes, dithered by the 8 × 8 Bayer matrix, four pixels to three words.
// Mirrors `Canvas`.

struct Canvas {
    width: u32,
    // Width times height.
    pixels: u32,
    // Invocations in a row of workgroups.
    stride: u32,
}

@group(0) @binding(0) var<uniform> canvas: Canvas;
@group(0) @binding(1) var color: texture_2d<f32>;
@group(0) @binding(2) var dither: texture_2d<f32>;
@group(0) @binding(3) var<storage, read_write> packed: array<u32>;

// The order in which the pixels of a block turn to the next level: the bits of x ^ y and y, interleaved, lowest first.
fn bayer(x: u32, y: u32) -> u32 {
    let d = x ^ y;
    return ((d & 1u) << 5u) | ((y & 1u) << 4u) | ((d & 2u) << 2u) | ((y & 2u) << 1u) | ((d & 4u) >> 1u)
        | ((y & 4u) >> 2u);
}

fn pixel(index: u32) -> vec3<u32> {
    let at = vec2<u32>(index % canvas.width, index / canvas.width);
    let v = clamp(textureLoad(color, at, 0).rgb, vec3<f32>(0.0), vec3<f32>(1.0)) * 255.0;
    let step = (f32(bayer(at.x, at.y)) - 31.5) / 64.0;
    let w = textureLoad(dither, at, 0).r;
    // Halves go to the even neighbour.
    return vec3<u32>(round(clamp(v + w * step, vec3<f32>(0.0), vec3<f32>(255.0))));
}

@compute @workgroup_size(64)
fn quantise(@builtin(global_invocation_id) id: vec3<u32>) {
    let four = id.y * canvas.stride + id.x;
    let first = four * 4u;
    if first >= canvas.pixels {
        return;
    }
    let last = canvas.pixels - 1u;
    let a = pixel(first);
    let b = pixel(min(first + 1u, last));
    let c = pixel(min(first + 2u, last));
    let d = pixel(min(first + 3u, last));
    packed[four * 3u] = a.r | (a.g << 8u) | (a.b << 16u) | (b.r << 24u);
    packed[four * 3u + 1u] = b.g | (b.b << 8u) | (c.r << 16u) | (c.g << 24u);
    packed[four * 3u + 2u] = c.b | (d.r << 8u) | (d.g << 16u) | (d.b << 24u);
}
