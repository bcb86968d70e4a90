import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROUTES = join(import.meta.dirname, '../../../../routes');

/**
 * Pages without labels: their ids are those of blocks, proofs, Merkle roots or other networks, and the audit
 * log is shown as it was written.
 */
const OTHER_IDS =
	/^(chains\/\[chain\]\/(mom|momom|proof|proof\/\[txid\])|admin\/audit|kdf(\/.*)?)$/;

test('every page that shows keys, addresses or tokens asks for their labels', () => {
	const files = readdirSync(ROUTES, { recursive: true, encoding: 'utf8' });
	const shown = files
		.filter((file) => file.endsWith('.svelte'))
		.filter((file) => readFileSync(join(ROUTES, file), 'utf8').includes('<HexId'))
		.map(dirname)
		.filter((folder) => !OTHER_IDS.test(folder));
	const missing = [...new Set(shown)].filter((folder) => {
		const server = join(folder, '+page.server.ts');
		return (
			!files.includes(server) || !readFileSync(join(ROUTES, server), 'utf8').includes('withLabels(')
		);
	});
	expect(shown.length).toBeGreaterThan(20);
	expect(missing).toEqual([]);
});
