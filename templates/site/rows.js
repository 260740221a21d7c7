fpreportRows({{number}}, {{states}}, {{rows}});
