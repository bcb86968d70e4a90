import { GUARDS, type Guard, type GuardName } from '#lib/server/guards/list.ts';
import type { Attack } from './attack.ts';
import { doorAttacks } from './door.ts';
import { moneyAttacks } from './money.ts';
import { nodeAttacks } from './node.ts';
import { trapAttacks } from './traps.ts';
import { sessionAttacks } from './sessions.ts';
import type { Target } from './target.ts';

/** Every attack by its name. */
export const attacks: ReadonlyMap<string, Attack> = new Map(
	[...sessionAttacks, ...doorAttacks, ...moneyAttacks, ...trapAttacks, ...nodeAttacks].map(
		(attack) => [attack.name, attack]
	)
);

/** Each guard with each attack that it stops. */
export const pairs = Object.entries<Guard>(GUARDS).flatMap(([guard, { attacks: names, behind }]) =>
	names.map((name) => ({
		guard: guard as GuardName,
		name,
		before: behind === undefined ? [] : [behind]
	}))
);

/**
 * Carries out every attack while all guards stand, and once more after its guard was told to go.
 *
 * @param switches whether the build has switches: only there may the second attempt succeed, and must
 * @returns what went otherwise, in sentences
 */
export async function attackAll(target: Target, switches: boolean): Promise<string[]> {
	const wrong: string[] = [];
	for (const { guard, name, before } of pairs) {
		// Behind a guard that the served program never lets go there is nothing to be seen.
		if (!switches && before.length > 0) continue;
		const attack = attacks.get(name);
		if (attack === undefined) throw new Error(`There is no attack ${name}.`);
		await target.turnOff(...before);
		const stopped = await attack.run(target);
		if (stopped.succeeded) wrong.push(`${name} succeeded: ${stopped.seen}`);
		await target.turnOff(...before, guard);
		const again = await attack.run(target);
		if (switches && !again.succeeded) wrong.push(`${name} failed without ${guard}: ${again.seen}`);
		if (!switches && again.succeeded) wrong.push(`${guard} could be turned off: ${again.seen}`);
	}
	await target.turnOff();
	return wrong;
}
