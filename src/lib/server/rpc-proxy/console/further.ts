/** Methods that only the configuration declares: who may call which, and how they are called. */
import { consoleOutcomes } from '#lib/messages/consoleOutcomes.ts';
import { explainDaemon } from '#lib/messages/errors/explainDaemon.ts';
import type { FurtherAccess } from '#lib/rpc/daemon/furtherMethods.ts';
import type { CallBudget } from '../../access/calls/budget.ts';
import type { Member } from '../../access/identity/identity.ts';
import { mayAccess } from '../../access/policy/permissions.ts';
import type { ActingRole } from '../../access/identity/roles.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { makeFurtherCall, type FurtherCallParts } from '../daemon/makeFurtherCall.ts';
import type { WhoNow } from '../http/whoNow.ts';
import { answered, deniedOutcome, withheldOutcome } from './call.ts';
import type { CallOutcome } from './outcome.ts';

type Daemons = Pick<Gateway, 'daemon' | 'daemons' | 'furtherMethods'>;

interface FurtherMethod {
	name: string;
	access: FurtherAccess;
	/** Ids of the daemons for which the configuration declares the method. */
	daemons: string[];
}

/** Returns the configured methods beyond the registry that the role may call, by name. */
export function furtherFor(gateway: Daemons, role: ActingRole, query = ''): FurtherMethod[] {
	const found = new Map<string, FurtherMethod>();
	for (const { id } of gateway.daemons()) {
		for (const [name, access] of gateway.furtherMethods(id)) {
			if (!mayAccess(role, access, false) || !name.includes(query.toLowerCase().trim())) continue;
			const known = found.get(name);
			if (known === undefined) found.set(name, { name, access, daemons: [id] });
			else known.daemons.push(id);
		}
	}
	return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export interface FurtherCaller {
	callFurther(identity: Member, call: FurtherConsoleCall): Promise<CallOutcome>;
}

interface FurtherConsoleCall {
	method: string;
	daemon: string;
	/** JSON text of each parameter. */
	params: readonly string[];
	requestId: string;
	/** Returns the current caller after the call has waited. */
	who: WhoNow;
}

/** Creates the console's access to such methods. */
export function createFurtherCaller(
	parts: Omit<FurtherCallParts, 'gateway'> & { gateway: Gateway; budget: CallBudget }
): FurtherCaller {
	const { gateway, budget } = parts;
	return {
		async callFurther(identity, { method, daemon: id, params, requestId, who }) {
			const daemon = gateway.daemon(id);
			const access = gateway.furtherMethods(id).get(method);
			if (daemon === undefined || access === undefined) {
				return { kind: 'refused', sentence: consoleOutcomes.noDaemon };
			}
			const seconds = await budget.takeCalls(identity, 1);
			if (seconds !== null) return { kind: 'limited', seconds };
			const started = performance.now();
			try {
				const call = { method, access, params };
				const origin = { requestId, console: true } as const;
				const made = await makeFurtherCall(parts, who, daemon, call, origin);
				if (made.kind === 'ended') return { kind: 'refused', sentence: consoleOutcomes.ended };
				if (made.kind === 'denied') return deniedOutcome(made.denial);
				if (made.kind === 'withheld') return withheldOutcome(made.why);
				return answered(null, made.answer, made.ms);
			} catch (error) {
				if (!isAppError(error, 'daemon')) throw error;
				const ms = performance.now() - started;
				return { kind: 'failed', ms, ...explainDaemon(error.coded) };
			}
		}
	};
}
