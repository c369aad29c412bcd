// Paint: a table of colours in two dimensions. Mirrors `Mesh`.

struct Mesh {
    // The linear part of the map from pixels to the table's entries, by rows.
    map: vec4<f32>,
    // What it adds.
    at: vec2<f32>,
    // Entries across and down.
    size: vec2<u32>,
    // Where its colours begin.
    table: u32,
    // 1 where its bands would show.
    banded: f32,
}

@group(2) @binding(0) var<storage, read> meshes: array<Mesh>;

fn paint(index: u32, p: vec2<f32>) -> Source {
    let it = meshes[index];
    let u = vec2<f32>(it.map.x * p.x + it.map.y * p.y, it.map.z * p.x + it.map.w * p.y) + it.at;
    let held = clamp(u, vec2<f32>(0.0), vec2<f32>(it.size - 1u));
    let cell = min(vec2<u32>(held), it.size - 2u);
    let f = held - vec2<f32>(cell);
    let first = it.table + cell.y * it.size.x + cell.x;
    let above = mix(colors[first], colors[first + 1u], f.x);
    let below = mix(colors[first + it.size.x], colors[first + it.size.x + 1u], f.x);
    return Source(mix(above, below, f.y), it.banded);
}
