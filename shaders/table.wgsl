// Tables of colours, for the paints that look them up, and angles.

@group(2) @binding(1) var<storage, read> colors: array<vec4<f32>>;
@group(2) @binding(2) var<storage, read> banded: array<f32>;

// The colour at offset `t` of the table that begins at `table`.
fn look_up(t: f32, table: u32, bands: u32) -> Source {
    let f = min(unit(t) * 4096.0, 4096.0 - 1.0 / 1024.0);
    let i = u32(f);
    let color = mix(colors[table + i], colors[table + i + 1u], f - f32(i));
    var dither = 0.0;
    if bands != 0xffffffffu && t > 0.0 && t < 1.0 {
        dither = banded[bands + i];
    }
    return Source(color, dither);
}

// The angle of u in turns; the arc tangent is the odd minimax polynomial of degree 11.
fn turn(u: vec2<f32>) -> f32 {
    let v = abs(u);
    let a = min(v.x, v.y) / max(max(v.x, v.y), 1e-30);
    let s = a * a;
    let p = 0.99997726 + s * (-0.33262347 + s * (0.19354346 + s * (-0.11643287 + s * (0.05265332 + s * -0.0117212))));
    let eighth = a * p * 0.15915494;
    let quarter = select(eighth, 0.25 - eighth, v.y > v.x);
    let half_turn = select(quarter, 0.5 - quarter, u.x < 0.0);
    return select(half_turn, 1.0 - half_turn, u.y < 0.0);
}
