"""One system in a process of its own, as worker.mjs does for JavaScript: worker.py SYSTEM SETTINGS."""

import importlib
import json
import os
import sys
import time
import traceback

name, settings = sys.argv[1], json.loads(sys.argv[2])
documents = {}
system = None


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def documents_of(text):
    if text not in documents:
        entry = settings["texts"][text]
        with open(entry["path"], encoding="utf-8") as file:
            whole = file.read()
        if entry.get("lines"):
            documents[text] = [line for line in whole.split("\n") if line]
        else:
            size = entry.get("size", len(whole))
            documents[text] = [(whole * (size // max(len(whole), 1) + 1))[:size]]
    return documents[text]


def open_system(request):
    global system
    make = importlib.import_module("system_" + name).prepare(settings)
    thread, process, wall = time.thread_time(), time.process_time(), time.perf_counter()
    system = make()
    tokens, _ = system.annotate("Ada met Bob in Paris, and they didn't talk about the weather.")
    return {
        "tokens": tokens,
        "thread": 1000 * (time.thread_time() - thread),
        "process": 1000 * (time.process_time() - process),
        "wall": 1000 * (time.perf_counter() - wall),
        "memory": resident(),
    }


def run_pass(request):
    texts = documents_of(request["text"])
    tokens = sentences = 0
    thread, wall = time.thread_time(), time.perf_counter()
    for text in texts:
        t, s = system.annotate(text)
        tokens += t
        sentences += s
    return {"tokens": tokens, "sentences": sentences, "thread": 1000 * (time.thread_time() - thread),
            "wall": 1000 * (time.perf_counter() - wall)}


def write_conllu(request):
    with open(request["out"], "w", encoding="utf-8") as file:
        for text in documents_of(request["text"]):
            file.write(system.conllu(text))
    return {}


actions = {"open": open_system, "pass": run_pass, "conllu": write_conllu, "memory": lambda request: {"memory": resident()}}

for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = actions[request["do"]](request)
    except Exception:  # the bench names what failed and goes on
        answer = {"error": traceback.format_exc()}
    print(json.dumps(answer), flush=True)
