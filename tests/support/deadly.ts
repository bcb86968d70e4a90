import type { Gateway } from '#lib/server/chains/daemon/types.ts';

/** The call at which a process dies, counted from 1 among the calls of its method. */
export interface DieAt {
	method: string;
	call: number;
	when: 'before' | 'after';
}

/** A gateway that kills the process at one of its calls, like kill -9; null: it does not. */
export function deadly(gateway: Gateway, dieAt: DieAt | null): Gateway {
	let seen = 0;
	return {
		...gateway,
		async call(daemon, method, params, options) {
			if (method === dieAt?.method) seen += 1;
			const dies = method === dieAt?.method && seen === dieAt.call;
			if (dies && dieAt.when === 'before') process.kill(process.pid, 'SIGKILL');
			const answer = await gateway.call(daemon, method, params, options);
			if (dies) process.kill(process.pid, 'SIGKILL');
			return answer;
		}
	};
}
