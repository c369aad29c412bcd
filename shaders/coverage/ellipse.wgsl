// Coverage: an ellipse, less another. Mirrors `Ellipse`.

struct Ellipse {
    // The linear part of the map from pixels to the space where the ellipse is the unit circle, by rows.
    outer: vec4<f32>,
    inner: vec4<f32>,
    // What the maps add.
    outer_at: vec2<f32>,
    inner_at: vec2<f32>,
    // 1 where there is an inner one.
    hollow: u32,
}

@group(1) @binding(0) var<storage, read> ellipses: array<Ellipse>;

// By the distance to first order, (|u|² − |u|) / |Mᵀu|.
fn disc(p: vec2<f32>, m: vec4<f32>, at: vec2<f32>) -> f32 {
    let u = vec2<f32>(m.x * p.x + m.y * p.y, m.z * p.x + m.w * p.y) + at;
    let square = dot(u, u);
    let gradient = vec2<f32>(m.x * u.x + m.z * u.y, m.y * u.x + m.w * u.y);
    let d = (square - sqrt(square)) / length(gradient);
    // Near the centre the gradient vanishes, but there the shape is at least a pixel thick.
    return select(unit(0.5 - d), 1.0, square < 0.25);
}

fn coverage(in: Corner, p: vec2<f32>) -> f32 {
    let it = ellipses[in.shape];
    let outer = disc(p, it.outer, it.outer_at);
    if it.hollow != 0u {
        return max(outer - disc(p, it.inner, it.inner_at), 0.0);
    }
    return outer;
}
