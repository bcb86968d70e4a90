import { answerAttacks } from './answers.ts';
import { ATTACK_CLASSES, type Attack, type AttackClass, type Outcome } from './attack.ts';
import { accessAttacks } from './access.ts';
import { apiTokenAttacks } from './apiTokens.ts';
import { changeAttacks } from './changes.ts';
import { controls } from './controls/index.ts';
import { httpAttacks } from './http.ts';
import { visitorAttacks } from './visitor.ts';
import { rpcApiAttacks } from './rpcApi.ts';
import { moneyAttacks } from './money.ts';
import { kdfAttacks } from './kdf.ts';
import { noticeAttacks } from './notices.ts';
import { passkeyAttacks } from './passkeys.ts';
import { policyAttacks } from './policies.ts';
import { requestAttacks } from './requests.ts';
import { secondFactorAttacks } from './secondFactors.ts';
import { sessionAttacks } from './sessions.ts';
import { signOnAttacks } from './signOn.ts';
import { signingAttacks } from './signing.ts';
import { spendingAttacks } from './spending.ts';
import { storageAttacks } from './storage.ts';
import type { Target } from './target.ts';
import { trapAttacks } from './traps.ts';
import { unsentBytesAttacks } from './unsentBytes.ts';

const all: readonly Attack[] = [
	...accessAttacks,
	...sessionAttacks,
	...secondFactorAttacks,
	...passkeyAttacks,
	...rpcApiAttacks,
	...apiTokenAttacks,
	...httpAttacks,
	...visitorAttacks,
	...moneyAttacks,
	...spendingAttacks,
	...policyAttacks,
	...changeAttacks,
	...trapAttacks,
	...kdfAttacks,
	...answerAttacks,
	...signingAttacks,
	...requestAttacks,
	...signOnAttacks,
	...noticeAttacks,
	...unsentBytesAttacks,
	...storageAttacks
];

/** All attacks by name. */
export const attacks: ReadonlyMap<string, Attack> = new Map(
	all.map((attack) => [attack.name, attack])
);

/** Each control with each attack that it stops. */
export const pairs = controls.flatMap(({ name: control, attacks: names, behind }) =>
	names.map((name) => ({ control, name, before: behind === undefined ? [] : [behind] }))
);

/** The results of an attack with its control and without. */
interface Trial {
	/** The outcome with the control in place. */
	stopped: Outcome;
	/** The outcome without the control; it must succeed, or the test proves nothing. */
	open: Outcome;
}

/** Runs an attack with its control in place, and once more with the control turned off. */
export async function carryOut(target: Target, pair: (typeof pairs)[number]): Promise<Trial> {
	const attack = attacks.get(pair.name);
	if (attack === undefined) throw new Error(`There is no attack ${pair.name}.`);
	try {
		await target.turnOff(...pair.before);
		const stopped = await attack.run(target);
		await target.turnOff(...pair.before, pair.control);
		return { stopped, open: await attack.run(target) };
	} finally {
		await target.endReplica();
		await target.turnOff();
	}
}

/** Counts attempts and successes against the unchanged program, by class. */
export class Tally {
	readonly #counts = new Map<AttackClass, { tries: number; successes: number }>();

	add(name: string, { tries, succeeded }: Outcome): void {
		const { class: title } = attacks.get(name)!;
		const before = this.#counts.get(title) ?? { tries: 0, successes: 0 };
		this.#counts.set(title, {
			tries: before.tries + tries,
			successes: before.successes + (succeeded ? 1 : 0)
		});
	}

	/** One line for each class. */
	lines(): string[] {
		return ATTACK_CLASSES.flatMap((title) => {
			const count = this.#counts.get(title);
			return count ? [`${title}: ${count.tries} tries, ${count.successes} successes`] : [];
		});
	}
}
