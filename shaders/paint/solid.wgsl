// Paint: one colour, times alpha.

@group(2) @binding(0) var<storage, read> solids: array<vec4<f32>>;

fn paint(index: u32, p: vec2<f32>) -> Source {
    return Source(solids[index], 0.0);
}
