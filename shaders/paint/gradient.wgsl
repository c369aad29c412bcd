// Paint: a linear, radial or conic gradient, looked up in a table of 1025 colours. Mirrors `Gradient`.

struct Gradient {
    // The linear part of the map from pixels to the gradient's space, by rows.
    map: vec4<f32>,
    // What it adds.
    at: vec2<f32>,
    // Where its colours begin, and where its bands; there are none where that is 0xffffffff.
    table: u32,
    bands: u32,
    // 0 linear, 1 radial, 2 conic.
    field: u32,
}

@group(2) @binding(0) var<storage, read> gradients: array<Gradient>;

fn paint(index: u32, p: vec2<f32>) -> Source {
    let it = gradients[index];
    let u = vec2<f32>(it.map.x * p.x + it.map.y * p.y, it.map.z * p.x + it.map.w * p.y) + it.at;
    if it.field == 0u {
        return look_up(u.x, it.table, it.bands);
    }
    if it.field == 1u {
        return look_up(length(u), it.table, it.bands);
    }
    let t = turn(u);
    var source = look_up(t, it.table, it.bands);
    // Where its end meets its start, on the positive u axis, it is anti-aliased over a pixel.
    let across = u.y / length(it.map.zw);
    let along = unit(u.x / length(it.map.xy) + 0.5);
    if abs(across) < 0.5 && along > 0.0 {
        // From −½ to ½.
        let near = select(t, t - 1.0, t > 0.5);
        let end = look_up(1.0 + min(near, 0.0), it.table, 0xffffffffu).color;
        let start = look_up(max(near, 0.0), it.table, 0xffffffffu).color;
        source.color = mix(source.color, mix(end, start, across + 0.5), along);
    }
    return source;
}
