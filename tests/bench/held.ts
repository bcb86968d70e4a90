/** Memory use of processes (proc(5)). */
import { readFileSync } from 'node:fs';

/** The server and devnet processes among all descendants of a process. */
export function partsBelow(pid: number): number[] {
	const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
	return children
		.split(' ')
		.filter(Boolean)
		.flatMap((text) => {
			const child = Number(text);
			const [program = '', ...args] = readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0');
			const isPart =
				program.endsWith('node') &&
				args.some((arg) => /src\/(?:start|devnet)\/main\.ts$/.test(arg));
			return [...(isPart ? [child] : []), ...partsBelow(child)];
		});
}

/** Resident memory, and the part that no other process shares, in MB. */
export function held(pid: number): { resident: number; own: number } {
	const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
	const of = (name: string): number =>
		Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024;
	return { resident: of('Rss'), own: of('Private_Clean') + of('Private_Dirty') };
}

/** Memory of several processes of one program together, in MB: shared pages count once. */
export const together = (parts: readonly ReturnType<typeof held>[]): number =>
	parts.reduce((sum, { own }) => sum + own, 0) +
	Math.max(...parts.map(({ resident, own }) => resident - own));
