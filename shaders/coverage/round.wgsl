// Coverage: an upright box with round corners, less another. Mirrors `Round`.

struct Round {
    // Left, top, right, bottom.
    outer: vec4<f32>,
    // Clockwise from the top left.
    outer_radii: vec4<f32>,
    // Nothing where right is not beyond left.
    inner: vec4<f32>,
    inner_radii: vec4<f32>,
}

@group(1) @binding(0) var<storage, read> rounds: array<Round>;

// At most how much of a pixel a corner leaves: `past` is how far its centre lies beyond the corner's middle.
fn rounded(past: vec2<f32>, radius: f32) -> f32 {
    let cut = unit(radius - length(past) + 0.5);
    return select(1.0, cut, past.x > 0.0 && past.y > 0.0 && radius > 0.0);
}

fn box_coverage(p: vec2<f32>, edges: vec4<f32>, radii: vec4<f32>) -> f32 {
    let covered = max(min(p + 0.5, edges.zw) - max(p - 0.5, edges.xy), vec2<f32>(0.0));
    var c = covered.x * covered.y;
    c = min(c, rounded(edges.xy + radii.xx - p, radii.x));
    c = min(c, rounded(vec2<f32>(p.x - edges.z + radii.y, edges.y + radii.y - p.y), radii.y));
    c = min(c, rounded(p - edges.zw + radii.zz, radii.z));
    return min(c, rounded(vec2<f32>(edges.x + radii.w - p.x, p.y - edges.w + radii.w), radii.w));
}

fn coverage(in: Corner, p: vec2<f32>) -> f32 {
    let round = rounds[in.shape];
    let outer = box_coverage(p, round.outer, round.outer_radii);
    if round.inner.z > round.inner.x {
        return max(outer - box_coverage(p, round.inner, round.inner_radii), 0.0);
    }
    return outer;
}
