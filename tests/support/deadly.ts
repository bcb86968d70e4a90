import type { Gateway } from '#lib/server/chains/daemon/types.ts';

/** A call of a process at which it dies, counted from 1 among those of its method. */
export interface DieAt {
	method: string;
	call: number;
	when: 'before' | 'after';
}

/** The gateway with death at one of its calls, as with kill -9; null: it lives. */
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
