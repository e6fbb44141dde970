"""Models are made ready in the background, two at a time, the chosen one first, and the window says so."""

import asyncio
from types import SimpleNamespace

from fsdesk.app.work.runs import Runs, _Waiting
from fsdesk.app.work.warming import Warming
from fsdesk.engine import Ended
from fsdesk.engine.tasks import Compiling


class SlowPool:
    """Takes tasks and ends them when told."""

    size = 2
    busy = 0

    def __init__(self):
        self.tasks = {}
        self.order = []

    def warm(self):
        pass

    def grow(self, size):
        self.size = max(self.size, size)

    def close(self):
        pass

    def submit(self, function, wrapper, *, on_message, on_end):
        self.order.append(wrapper)
        self.tasks[wrapper] = (on_message, on_end)
        return self

    def stop(self):
        """A window that closes ends its work."""

    def end(self, wrapper, status="done"):
        on_message, on_end = self.tasks.pop(wrapper)
        on_message(1.0)
        on_end(Ended(status, "it broke" if status == "failed" else ""))


async def _soon():
    for _ in range(10):
        await asyncio.sleep(0)


def test_two_models_are_prepared_at_once_and_the_chosen_one_jumps_the_queue(qapp):
    async def scene():
        pool = SlowPool()
        warming = Warming(pool)
        warming.prefer("svm")
        work = asyncio.ensure_future(warming.prepare())
        await _soon()
        assert pool.order == ["svm", "nn"]
        assert pool.size == 3  # one is free for the user
        warming.prefer("cart")
        pool.end("nn")
        await _soon()
        assert pool.order == ["svm", "nn", "cart"]
        pool.end("svm", "failed")  # the others go on
        pool.end("cart")
        while not work.done():
            await _soon()
            for wrapper in list(pool.tasks):
                pool.end(wrapper)
        assert sorted(pool.order) == ["c45", "cart", "nb", "nn", "svm"]

    asyncio.run(scene())


def test_what_is_compiled_is_said_and_an_estimate_waits_for_it(qapp):
    async def scene():
        pool = SlowPool()
        warming = Warming(pool)
        warming.prefer("svm")
        said = []
        warming.changed.connect(lambda: said.append(warming.sentence))
        work = asyncio.ensure_future(warming.prepare())
        await _soon()
        pool.tasks["svm"][0](Compiling("svm"))
        waiting = asyncio.ensure_future(warming.ready("svm"))
        await _soon()
        assert said == ["Preparing Linear support vector machine for this computer (once)"]
        assert not waiting.done()
        pool.end("svm")
        await waiting
        assert said[-1] == ""
        work.cancel()
        for wrapper in list(pool.tasks):
            pool.tasks.pop(wrapper)
        await asyncio.gather(work, return_exceptions=True)

    asyncio.run(scene())


def test_what_an_option_compiles_is_said_and_runs_of_the_model_wait_for_it(qapp):
    async def scene():
        pool = SlowPool()
        warming = Warming(pool)
        said, prepared = [], []
        warming.changed.connect(lambda: said.append(warming.sentence))
        warming.prepared.connect(lambda: prepared.append(True))
        quick = asyncio.ensure_future(warming.watch("nn", print, "quick"))
        slow = asyncio.ensure_future(warming.watch("nn", print, "slow"))
        await _soon()
        assert warming.is_ready("nn")  # nothing is compiled as yet
        pool.tasks["slow"][0](Compiling("nn"))
        await _soon()
        assert not warming.is_ready("nn")
        pool.end("quick")
        assert await quick == 1.0
        assert (said, prepared) == (["Preparing Nearest neighbours for this computer (once)"], [])
        pool.end("slow")
        assert await slow == 1.0
        assert (said[-1], prepared, warming.is_ready("nn")) == ("", [True], True)

    asyncio.run(scene())


def test_a_run_waits_while_its_model_is_prepared_and_others_go_before_it(qapp):
    async def scene():
        pool, begun = SlowPool(), []
        warming, runs = Warming(pool), Runs(pool)
        warming.prefer("svm")
        runs.most_at_once = 5
        runs.is_ready = warming.is_ready
        warming.prepared.connect(runs.begin_waiting)
        work = asyncio.ensure_future(warming.prepare())
        await _soon()
        made = {}
        told = []
        runs.changed.connect(told.append)
        for place, wrapper in enumerate(("c45", "svm", "ridge")):
            run = made[wrapper] = SimpleNamespace(id=place, spec=SimpleNamespace(wrapper=wrapper), unprepared=False)
            runs._queue.append(_Waiting(run, lambda wrapper=wrapper: begun.append(wrapper), []))
        runs.begin_waiting()
        assert begun == ["ridge"]  # has no kernels
        assert [run.unprepared for run in made.values()] == [True, True, False]
        assert told == [[0, 1]]
        pool.end("svm")
        await _soon()
        assert begun == ["ridge", "svm"]
        assert [run.unprepared for run in made.values()] == [True, False, False]
        pool.end("c45", "failed")  # the run will say why
        await _soon()
        assert begun == ["ridge", "svm", "c45"]
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)

    asyncio.run(scene())
