/** Returns a function that runs tasks, at most `most` at a time; the others wait in the order of their calls. */
export function createTurns(most: number): <T>(task: () => Promise<T>) => Promise<T> {
	const waiting: (() => void)[] = [];
	let running = 0;
	return async (task) => {
		// A task that ends passes its turn on, so that no new call can take it first.
		if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
		else running += 1;
		try {
			return await task();
		} finally {
			const next = waiting.shift();
			if (next === undefined) running -= 1;
			else next();
		}
	};
}
