// Uses the generated TypeScript client against a running service: use.js BASE KEY PDF.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

import { createBrand, createGeneration, createUpload, editImage, listGenerations, readGeneration, setLogo } from "./client";
import type { CreationRequest, FormatId, Generation, WebhookPayload } from "./client";
import { client } from "./client/client.gen";

const [base, key, pdf] = process.argv.slice(2);
client.setConfig({ baseUrl: base, auth: key });

/** A new generation, once it is completed. */
async function completed(body: CreationRequest): Promise<Generation> {
  const made = await createGeneration({ body, throwOnError: true });
  const path = { id: made.data.generation.id };
  for (let look = 0; look < 300; look++) {
    const { generation } = (await readGeneration({ path, throwOnError: true })).data;
    if (["completed", "partial", "failed", "cancelled"].includes(generation.status)) {
      assert.equal(generation.status, "completed");
      return generation;
    }
    await setTimeout(100);
  }
  throw new Error(`generation ${path.id} does not end`);
}

async function main(): Promise<void> {
  // Create and poll.
  const generation = await completed({
    inputType: "text",
    inputContent: "Sleep better. Keep one bedtime.",
    outputFormats: ["instagram_post"],
  });
  const [output] = generation.outputs;
  const image = await (await fetch(output.imageUrl)).blob();
  assert.deepEqual([image.type, image.size], ["image/png", output.bytes]);
  const listed = await listGenerations({ query: { limit: 1, expand: ["outputs", "quality"] }, throwOnError: true });
  assert.deepEqual(listed.data.warnings, []);
  assert.equal(listed.data.generations[0].outputs?.[0].id, output.id);

  // Edit: see what would change, then confirm it.
  const path = { id: generation.id };
  const asked = { outputId: output.id, prompt: "Make the headline a bit smaller" };
  const { data: proposal } = await editImage({ path, body: asked, throwOnError: true });
  assert.ok("refinedInstruction" in proposal, JSON.stringify(proposal));
  const confirmed = { ...asked, confirmedInstruction: proposal.refinedInstruction };
  const { data: result } = await editImage({ path, body: confirmed, throwOnError: true });
  assert.ok("version" in result && result.version === 2, JSON.stringify(result));

  // Upload a file, and make images of it.
  const file = new File([await readFile(pdf)], "report.pdf", { type: "application/pdf" });
  const { upload } = (await createUpload({ body: { file }, throwOnError: true })).data;
  assert.deepEqual([upload.mimeType, upload.bytes], ["application/pdf", file.size]);
  await completed({ inputType: "pdf", fileId: upload.id, outputFormats: ["quote_card"] });

  // Send bytes as the body.
  const { brand } = (await createBrand({ body: { name: "Acme" }, throwOnError: true })).data;
  const written = await setLogo({ path: { id: brand.id }, body: image, throwOnError: true });
  assert.ok(written.data.brand.logoUrl);

  // Errors have one type, whatever the operation.
  const { error } = await readGeneration({ path: { id: brand.id } });
  assert.equal(error?.code, "generation_not_found");

  // What a later version adds fits the types of this one.
  const added: FormatId = "hologram";
  const payload: Pick<WebhookPayload, "type"> = { type: "generation.archived" };
  assert.deepEqual([added, payload.type], ["hologram", "generation.archived"]);
}

void main();
