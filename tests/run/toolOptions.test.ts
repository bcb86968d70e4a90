import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test.each([
	['tests/run/main.ts', 'usage: npm test -- [--install]'],
	['tests/bench/main.ts', 'usage: npm run bench -- '],
	['tests/faults/harness/main.ts', 'usage: npm run faults -- ']
])('%s runs nothing for an option that it does not know, and shows its options', (file, usage) => {
	const { status, stdout, stderr } = spawnSync(process.execPath, [file, '--nosuch'], {
		encoding: 'utf8'
	});
	expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
	expect(stderr).toContain("Unknown option '--nosuch'");
	expect(stderr).toContain(usage);
	expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
});
