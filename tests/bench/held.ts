/** What processes hold in memory (proc(5)). */
import { readFileSync } from 'node:fs';

/** The servers and devnets among all processes below one. */
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

/** In MB: all that is resident, and without what others have in common with it but for a share. */
export function held(pid: number): { resident: number; share: number } {
	const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
	const of = (name: string): number =>
		Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024;
	return { resident: of('Rss'), share: of('Pss') };
}
