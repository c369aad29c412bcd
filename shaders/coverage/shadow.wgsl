// Coverage: a blurred box, looked up in a table of one quadrant. Mirrors `Shadow`.

struct Shadow {
    // The linear part of the map from pixels to the box's frame, by rows.
    map: vec4<f32>,
    // What it adds.
    at: vec2<f32>,
    // Half edges.
    half: vec2<f32>,
    // Table cells per pixel.
    per_px: vec2<f32>,
    // Columns and rows of the table; none where corners are as good as straight, and the distance tells.
    size: vec2<u32>,
    radius: f32,
    sigma: f32,
    // How far it reaches beyond the box.
    reach: f32,
    // Where its table begins.
    table: u32,
}

@group(1) @binding(0) var<storage, read> shadows: array<Shadow>;
@group(1) @binding(1) var<storage, read> heights: array<f32>;

// The normal distribution's integral, by Abramowitz and Stegun 7.1.28.
fn phi(x: f32) -> f32 {
    let t = abs(x) * 0.70710678;
    let p = 1.0 + t * (0.07052308 + t * (0.04228201 + t * (0.009270527
        + t * (0.0001520143 + t * (0.0002765672 + t * 0.0000430638)))));
    let p2 = p * p;
    let p4 = p2 * p2;
    let p8 = p4 * p4;
    let tail = 0.5 / (p8 * p8);
    return select(1.0 - tail, tail, x < 0.0);
}

fn trim(v: f32) -> f32 {
    return unit((v - 0.5) * 1.002 + 0.5);
}

fn coverage(in: Corner, p: vec2<f32>) -> f32 {
    let it = shadows[in.shape];
    let v = abs(vec2<f32>(it.map.x * p.x + it.map.y * p.y, it.map.z * p.x + it.map.w * p.y) + it.at);
    if it.size.x == 0u {
        let q = v - it.half + it.radius;
        let d = length(max(q, vec2<f32>(0.0))) + min(max(q.x, q.y), 0.0) - it.radius;
        return trim(phi(-d / it.sigma));
    }
    let last = vec2<f32>(it.size - 1u);
    let f = clamp((it.half + it.reach - v) * it.per_px, vec2<f32>(0.0), last);
    let cell = min(vec2<u32>(f), it.size - 2u);
    let t = f - vec2<f32>(cell);
    let row = it.table + cell.y * it.size.x + cell.x;
    let left = mix(heights[row], heights[row + it.size.x], t.y);
    let right = mix(heights[row + 1u], heights[row + it.size.x + 1u], t.y);
    return trim(mix(left, right, t.x));
}
